import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAdvice } from '@fleet/advice';
import { loadRuleBook } from '@fleet/knowledge';
import type { RuleBook } from '@fleet/knowledge-model';
import { format } from 'prettier';

const root = join(__dirname, '../..');
const page = join(root, 'docs/advice.md');

const preamble = `# Advice in plain words

Made from \`knowledge/advice.yaml\` by \`test/docs/advice.spec.ts\` (write it again with \`FLEET_WRITE_DOCS=1\`).

\`phx advice "…"\` shows what a text would do: which [directives](directives.md) it becomes, each with the words it was read from, what contradicts
itself, and what no rule follows. The rules read English. They set nothing that the text does not say; what they do not understand is told, not
dropped. A wish that waits for R-free ("no waters until R-free < 0.30") holds until a refinement has reached it; one with another condition ("if phaser
fails, try autosol") and a question are not followed, and the answer says so. A number, program, file, space group or verb of the field that nothing was read from is named too, even where the rest of its
sentence was understood.

A negation reaches what it governs: "do not use TLS" turns it off, "do not use resolution 2.0" sets nothing and is listed, and "do not use twin law -h,-k,l" also keeps out
the law that xtriage finds (\`twin_law=false\`). What is told of a structure ("simulated annealing was tried") asks for nothing. Without a word for stopping, a session ends early only
with a single task that was understood whole.

A session follows what was understood (\`--advice\`, \`--advice-file\`), and tells it before it acts. \`phx advise SESSION "…"\` says something else while it
runs, from its next decision on, and lets one that has ended continue; "stop" alone ends it after its present cycle.

"X, then Y" says what comes first: X runs, and then the workflow continues by itself to its own end, in which Y has its turn. The session does not end
with Y; say "and stop" for that. On a finished session there is no workflow left, so both run, in that order, and then it ends again. New words count from
the cycle after which they came: "two more refinements" and "refine again and stop" ask for further runs, whatever ran before.

Text that is meant to take a language model over ("ignore all previous instructions") is not read, and neither is the rest of its paragraph.

Where the site lets a language model read advice ([models.md](models.md#reading-advice)), it reads what a session was told beside the rules, before the next decision. What it reads counts where the words support it
and the rules have read nothing else; it is marked "(read by a model)" wherever the reading is shown. \`phx advice\` and the page that submits show the rules' reading alone.
`;

const examples = [
  'Just run phaser and one round of refinement to check if MR worked. Don’t bother with validation.',
  'Use resolution 3.0 in autosol but refine to 2.5 Angstroms.',
  'Use experimental phasing, not molecular replacement. Skip autobuild.',
  'Run MR-SAD. Locate Fe sites. atom_type=Fe, sites=4, wavelength=1.1158',
  'Calculate a polder map for ligand MES 88 and then run refinement.',
  'Refine twice and stop.',
  'No more than 3 refinement cycles. Target R-free of 0.23.',
  'There are two molecules in the asymmetric unit. Space group is P 21 21 21.',
  'Use model_b.pdb, not model_a.pdb. Do not add waters.',
  'Dock the model in the map.',
  'Do not add waters until R-free < 0.30.',
  'If phaser fails, try autosol.',
  'Space group P2(1)2(1)2(1), cell 57,9 57,9 150,1 90 90 90. Do not use resolution 2.0.',
  'Use 3 Å in autosol and 2.5 Å for the rest, stop at cycle 4.',
];

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('*', '\\*');

const row = (text: string, ruleBook: RuleBook): string => {
  const { understood, notFollowed } = readAdvice(text, ruleBook);
  const says = [...understood.map((one) => one.says), ...notFollowed.map(({ why }) => `Not followed: ${why}.`)];
  return `| ${cell(text)} | ${cell(says.join(' '))} |`;
};

describe('docs/advice.md', () => {
  it('says what can be said, and its outcome', async () => {
    const ruleBook = await loadRuleBook(join(root, 'knowledge'));
    const { programs, settings, elements } = ruleBook.advice;
    const tasks = programs.flatMap(({ program, task }) => (task === undefined ? [] : [`| ${program} | ${task} |`]));
    const values = new Map(
      settings.toReversed().map(({ key, program, why }) => [`${program ?? ''} ${key}`, { key, program, why }]),
    );
    const text = [
      preamble,
      '## Examples\n',
      '| text | what happens |',
      '| --- | --- |',
      ...examples.map((example) => row(example, ruleBook)),
      '',
      '## Tasks of their own\n',
      'A text that asks for one of these alone describes that task, as tutorials do, and the session ends with it.\n',
      '| program | why |',
      '| --- | --- |',
      ...tasks,
      '',
      '## Values\n',
      'As people type them (`2.5 A`, `2.5 Å`, `12.66 keV`, `three`), or as `key=value` with any key of [parameters.md](parameters.md).\n',
      '| key | of | what |',
      '| --- | --- | --- |',
      ...[...values.values()]
        .toReversed()
        .map(
          ({ key, program, why }) =>
            `| \`${key}\` | ${program ?? 'the program named beside it, else all'} | ${cell(why)} |`,
        ),
      '',
      `Elements by name: ${Object.keys(elements).join(', ')}; and every chemical symbol.`,
      '',
    ].join('\n');
    const made = await format(text, { parser: 'markdown', printWidth: 150 });
    if (process.env['FLEET_WRITE_DOCS'] === '1') writeFileSync(page, made);
    expect(readFileSync(page, 'utf8')).toBe(made);
  });
});
