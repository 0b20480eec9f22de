import { sessionOutcomes, statusOfStopReason, type SessionOutcome, type StopReason } from '@fleet/contracts/sessions';
import { outcomesOfReason, outcomeTexts } from '@fleet/session-report';
import { exitCodeOf } from '../../apps/cli/src/exit-codes';
import { expectPage } from './generated-page';

const preamble = `# Outcomes

Generated from \`libs/domain/session-report/src/outcome.ts\` by \`test/docs/outcomes.spec.ts\` (regenerate with \`FLEET_WRITE_DOCS=1\`).

For users and programs: how a session ended, in one word. One function makes it from the record; rows, answers, the summary,
\`phx list --outcome\` and the exit codes of \`phx watch\` and \`phx submit --watch\` use it. A running session has none. Each outcome with its
exit code, what it means, and what to do:
`;

const between = `
## From the reason to the outcome

The reasons are those of [stop-reasons.md](stop-reasons.md). If several outcomes are possible, the record decides:

- \`goal_reached\`, \`refinement_limit\` and \`nothing_left\` end a session without judging its result. It is \`solved\` if the fit of its last analysed
  cycle is good or acceptable for its resolution (\`fit.quality\`, from the bands of \`knowledge/metrics.yaml\`). Otherwise the first
  is \`goal_reached\`; the other two are \`unfinished\` with a measured result, and \`unknown\` without.
- \`no_program\` and \`red_flag\` before the first cycle mean that no program could run with the submitted files: \`rejected\`.
`;

const outcomeRow = (word: SessionOutcome): string => {
  const { sentence, next } = outcomeTexts[word];
  return `- \`${word}\` (${String(exitCodeOf[word])}): ${sentence} ${next}`;
};

const reasonRow = (reason: StopReason): string =>
  `- \`${reason}\` (${statusOfStopReason[reason]}): ${outcomesOfReason(reason)
    .map((word) => `\`${word}\``)
    .join(', ')}`;

describe('docs/outcomes.md', () => {
  it('has every outcome with its meaning, and every reason with its outcomes', async () => {
    const reasons = Object.keys(statusOfStopReason) as readonly StopReason[];
    const text = [
      preamble,
      ...sessionOutcomes.map(outcomeRow),
      between,
      'With the status of the session:\n',
      ...reasons.map(reasonRow),
    ].join('\n');
    await expectPage('docs/outcomes.md', text, { printWidth: 120, proseWrap: 'always' });
  });
});
