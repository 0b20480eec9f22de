import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadRuleBook } from '@fleet/knowledge';
import { allowedValues, isOwnParameter, type ProgramKnowledge, type StrategyKey } from '@fleet/knowledge-model';
import { format } from 'prettier';

const root = join(__dirname, '../..');
const page = join(root, 'docs/parameters.md');

const preamble = `# Parameters of programs

Made from \`knowledge/programs/\` by \`test/docs/parameters.spec.ts\` (write it again with \`FLEET_WRITE_DOCS=1\`).

These are all the parameters that a session's commands can hold, and what each may be set to: by \`program_settings\` in a submitter's
[directives](directives.md), by a client of the decision API, by a chooser, or by the rules of the knowledge. A value that is none of its
parameter's type is refused at submission with the field and what is allowed, and no command with one is launched. What a program writes is named
by the service alone; files are given through the inputs of a program, never as a parameter.
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
  it('says what every parameter of every program may be', async () => {
    const { programs } = await loadRuleBook(join(root, 'knowledge'));
    const text = [preamble, ...Object.values(programs).flatMap(section)].join('\n');
    const made = await format(text, { parser: 'markdown', printWidth: 150 });
    if (process.env['FLEET_WRITE_DOCS'] === '1') writeFileSync(page, made);
    expect(readFileSync(page, 'utf8')).toBe(made);
  });
});
