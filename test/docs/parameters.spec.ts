import { allowedValues, isOwnParameter, type ProgramKnowledge, type StrategyKey } from '@fleet/knowledge-model';
import { projectRules } from '@fleet/testing';
import { expectPage } from './generated-page';

const preamble = `# Parameters of programs

Generated from \`knowledge/programs/\` by \`test/docs/parameters.spec.ts\` (regenerate with \`FLEET_WRITE_DOCS=1\`).

For users and crystallographers: every parameter that a command may have, and its allowed values. They are set by
\`program_settings\` in [directives](directives.md), a client of the decision API, a language model, or the rules. A value of another
type is refused at submission with the field and the allowed values, and never launched. The service names what a program
writes; files are inputs of a program, never parameters.
`;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('*', '\\*');

const row = (definition: StrategyKey): string => {
  const { key, parameter, aliases = [], source, why } = definition;
  const names = [key, ...aliases].map((name) => `\`${name}\``).join(', ');
  const allowed = isOwnParameter(definition) ? 'named by the service' : allowedValues(definition);
  return `| ${names} | \`${parameter}\` | ${cell(allowed)} | ${cell(why ?? '')} | ${source} |`;
};

const section = ({ name, strategy }: ProgramKnowledge): readonly string[] =>
  strategy.length === 0
    ? []
    : [
        `## ${name}\n`,
        '| key | parameter | may be | why | source |',
        '| --- | --- | --- | --- | --- |',
        ...strategy.map(row),
        '',
      ];

describe('docs/parameters.md', () => {
  it('lists the allowed values of every parameter', async () => {
    const { programs } = projectRules();
    const text = [preamble, ...Object.values(programs).flatMap(section)].join('\n');
    await expectPage('docs/parameters.md', text);
  });
});
