import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sessionOutcomes, statusOfStopReason, type SessionOutcome, type StopReason } from '@fleet/contracts';
import { outcomesOfReason, outcomeTexts } from '@fleet/session-report';
import { format } from 'prettier';
import { exitCodeOf } from '../../apps/cli/src/exit-codes';

const page = join(__dirname, '../../docs/outcomes.md');

const preamble = `# The outcome of a session: its outcome

Made from \`libs/domain/session-report/src/outcome.ts\` by \`test/docs/outcomes.spec.ts\` (write it again with \`FLEET_WRITE_DOCS=1\`).

A session that has ended has not necessarily solved a structure. One word says its outcome: one function makes it from the record, and rows, answers, the summary,
\`phx list --outcome\` and the exit codes of \`phx watch\` and \`phx submit --watch\` use it. A session that runs has none.
`;

const between = `
## From the reason to the outcome

The reasons are those of [stop-reasons.md](stop-reasons.md). Where several outcomes stand, the record decides:

- \`goal_reached\`, \`refinement_limit\` and \`nothing_left\` end a session without a rule that has judged its result. It is \`solved\` where the fit of its last analysed
  cycle is good or acceptable for its resolution (\`fit.quality\`, from the bands of \`knowledge/metrics.yaml\`). Otherwise a goal that was reached is
  \`goal_reached\`; of the other two a result that was measured is \`unfinished\`, and one that was not is \`unknown\`.
- \`no_program\` and \`red_flag\` before the first cycle mean that nothing could be run with what was submitted: \`rejected\`.
`;

const outcomeRow = (word: SessionOutcome): string => {
  const { sentence, next } = outcomeTexts[word];
  return `| \`${word}\` | ${sentence} | ${next} | ${String(exitCodeOf[word])} |`;
};

const reasonRow = (reason: StopReason): string =>
  `| \`${reason}\` | ${statusOfStopReason[reason]} | ${outcomesOfReason(reason)
    .map((word) => `\`${word}\``)
    .join(', ')} |`;

describe('docs/outcomes.md', () => {
  it('has every outcome with its meaning, and every reason with its outcomes', async () => {
    const reasons = Object.keys(statusOfStopReason) as readonly StopReason[];
    const text = [
      preamble,
      '| outcome | means | what to do | exit code |\n| --- | --- | --- | --- |',
      ...sessionOutcomes.map(outcomeRow),
      between,
      '| reason | status | outcome |\n| --- | --- | --- |',
      ...reasons.map(reasonRow),
    ].join('\n');
    const made = await format(text, { parser: 'markdown', printWidth: 160 });
    if (process.env['FLEET_WRITE_DOCS'] === '1') writeFileSync(page, made);
    expect(readFileSync(page, 'utf8')).toBe(made);
  });
});
