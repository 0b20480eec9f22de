import { turnFailureCodes, type TurnFailureCode } from '@fleet/contracts/models';
import { turnFailureTexts } from '@fleet/session-report';
import { expectPage } from './generated-page';

const preamble = `# Why no model's answer was used

Generated from \`libs/domain/session-report/src/turn-failures.ts\` by \`test/docs/turn-failures.spec.ts\` (regenerate with \`FLEET_WRITE_DOCS=1\`).

For users and administrators. A turn is one question to the models of a role, with all its attempts ([models.md](../models.md)). It
ends with an answer or with one of these codes: \`planning.failed\` of a decision, \`failed\` of an assessment or log summary,
\`metadata.planning.failed\` of a v2 response. \`phx trace\` shows it with the target's own words.

No session ends because of it: the rules decide instead, a request is answered with 200, and \`phx\` exits as the session's
[outcome](../outcomes.md) says. With \`model_outage: wait\` a session waits for those that may pass. \`phx assess --ask\` and
\`phx summarise-log --ask\`, which need a model, exit with 8.
`;

const row = (code: TurnFailureCode): string => {
  const { category, retryable, sentence, next } = turnFailureTexts[code];
  return `| \`${code}\` | ${category} | ${retryable ? 'yes' : 'no'} | ${sentence} | ${next} |`;
};

describe('docs/reference/turn-failures.md', () => {
  it('has every code with meaning and remedy', async () => {
    const text = [
      preamble,
      '| code | cause | may pass | means | what to do |\n| --- | --- | --- | --- | --- |',
      ...turnFailureCodes.map(row),
    ].join('\n');
    await expectPage('docs/reference/turn-failures.md', text, { printWidth: 160 });
  });
});
