import { readAdvice } from '@fleet/advice';
import type { RuleBook } from '@fleet/knowledge-model';
import { projectRules } from '@fleet/testing';
import { expectPage } from './generated-page';

const preamble = `# Advice in plain words

Generated from \`knowledge/advice.yaml\` by \`test/docs/advice.spec.ts\` (regenerate with \`FLEET_WRITE_DOCS=1\`).

For users. \`phx advice preview "…"\` shows what a text would do: the [directives](directives.md) that it becomes, each
with the words it was read from, contradictions, and what no rule follows. Send advice with \`--advice\` or
\`--advice-file\`; the session shows what was understood before it acts. \`phx advice set SESSION "…"\` replaces it, from
the next decision on, and resumes a session that has ended. "Stop" alone ends a session after its present cycle.

- The rules read English and set nothing that the text does not say. A number, program, file, space group or verb of the
  field that was not understood is listed, never dropped; so is whatever else is used, added or left out.
- **Conditions**: "no waters until R-free < 0.30" holds until a refinement has reached it. Other conditions and
  questions are not followed, and the answer says so. A report ("simulated annealing was tried") asks for nothing.
- **Negations**: "do not use TLS" turns it off, "do not use resolution 2.0" sets nothing and is listed, "do not use twin
  law -h,-k,l" also excludes the law that xtriage finds (\`twin_law=false\`).
- **Ends**: without a word for stopping, a session ends early only with a single task that was understood whole. "X,
  then Y" runs X first, and then the workflow continues to its own end, with Y in its turn; add "and stop" to end with
  Y. In a finished session both run in that order, and it ends again.
- **Rounds**: a setting counts for all rounds of refinement. "TLS in the last round" and "w/o TLS first, then with
  TLS" are listed, not followed.
- **New advice** counts from the cycle after it: "two more refinements" and "refine again and stop" ask for further
  runs.
- **Attacks** on a language model ("ignore all previous instructions") are not read, nor is the rest of their paragraph.
- **Language models** may read advice beside the rules, if the site [lets them](models.md#reading-advice). Their reading
  is marked "(read by a model)"; \`phx advice preview\` and the submit page show the rules' reading only.
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

const escaped = (text: string): string => text.replaceAll('*', '\\*');

const exampleOf = (text: string, ruleBook: RuleBook): string => {
  const { understood, notFollowed } = readAdvice(text, ruleBook);
  const says = [...understood.map((one) => one.says), ...notFollowed.map(({ why }) => `Not followed: ${why}.`)];
  return `- “${escaped(text)}” ${escaped(says.join(' '))}`;
};

describe('docs/advice.md', () => {
  it('lists possible advice and its effect', async () => {
    const ruleBook = projectRules();
    const { programs, settings, elements } = ruleBook.advice;
    const tasks = programs.flatMap(({ program, task }) => (task === undefined ? [] : [program]));
    const values = new Map(
      settings
        .toReversed()
        .map(({ key, program, why }) => [
          `${program ?? ''} ${key}`,
          `- \`${key}\`${program ? ` (${program})` : ''}: ${escaped(why)}`,
        ]),
    );
    const text = [
      preamble,
      '## Examples\n',
      ...examples.map((example) => exampleOf(example, ruleBook)),
      '\n## Tasks of their own\n',
      `A text that asks for one of these alone describes that task, as tutorials do, and the session ends with it: ${tasks.join(', ')}.`,
      '\n## Values\n',
      'As people type them (`2.5 A`, `2.5 Å`, `12.66 keV`, `three`), or as `key=value` with any key of [parameters.md](parameters.md). A value',
      'is for the program in brackets; without one, for the program that is named beside it, otherwise for all.\n',
      ...[...values.values()].toReversed(),
      `\nElements by name: ${Object.keys(elements).join(', ')}; and every chemical symbol.\n`,
    ].join('\n');
    await expectPage('docs/advice.md', text, { printWidth: 120, proseWrap: 'always' });
  });
});
