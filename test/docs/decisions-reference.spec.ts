import type { MetricDefinition, RuleBook, StepProgram, WorkflowKnowledge } from '@fleet/knowledge-model';
import { projectRules } from '@fleet/testing';
import { conditionText } from '../../apps/cli/src/offline/condition-text';
import { expectPage } from './generated-page';

const preamble = `# Decisions

Generated from \`knowledge/\` by \`test/docs/decisions-reference.spec.ts\` (regenerate with \`FLEET_WRITE_DOCS=1\`). Each rule has an id, by which code, tests and issues cite
it. [phenix-agent.md](phenix-agent.md) says where the rules come from, [../stop-reasons.md](../stop-reasons.md) what each end means to a user,
[../directives.md](../directives.md) what a submitter can ask for.
`;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('*', '\\*').replaceAll('<', '\\<');
const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => [
  `| ${head.join(' | ')} |`,
  `| ${head.map(() => '---').join(' | ')} |`,
  ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
  '',
];
const names = { xray: 'X-ray', cryoem: 'Cryo-EM' };
const namesOf = (programs: readonly StepProgram[]): string =>
  [...new Set(programs.map(({ program }) => program))].join(', ');

const workflowSections = ({
  experiment,
  detection,
  steps,
  definitions,
  checks,
  stops,
}: WorkflowKnowledge): readonly string[] => [
  `## ${names[experiment]}\n`,
  '### Steps\n',
  'The first rule that holds names the step; the programs are offered in this order, each under its own conditions. Programs for models may be chosen by language models only ([models.md](../models.md)).\n',
  ...table(
    ['rule', 'step', 'state', 'programs', 'for models', 'why'],
    detection.map(({ id, step, why }) => {
      const { state, programs, for_models = [] } = steps[step]!;
      return [`\`${id}\``, step, `\`${state}\``, namesOf(programs) || 'none', namesOf(for_models), why];
    }),
  ),
  '### Facts\n',
  'Facts that follow from others. A comparison with something that is not known does not hold.\n',
  ...table(
    ['fact', 'holds when', 'why'],
    definitions.map(({ fact, when, why }) => [`\`${fact}\``, conditionText(when), why]),
  ),
  '### Checks\n',
  'Asked before every decision. A critical one ends the session (`abort_on_red_flags`).\n',
  ...table(
    ['check', 'level', 'holds when', 'message'],
    checks.map(({ id, level, when, message }) => [`\`${id}\``, level, conditionText(when), message]),
  ),
  '### Stop rules\n',
  'Asked after every program, in this order; the first that holds ends the session.\n',
  ...table(
    ['rule', 'reason', 'holds when', 'why'],
    stops.map(({ id, reason, when, why }) => [`\`${id}\``, `\`${reason}\``, conditionText(when), why]),
  ),
];

const bandRows = (
  name: string,
  { label, better, unit, bands = [], why }: MetricDefinition,
): readonly (readonly string[])[] =>
  bands.map(({ at, good, acceptable, poor }, index) => [
    `\`${name}\``,
    `${label}${unit === undefined ? '' : ` (${unit})`}, ${better} is better`,
    at === undefined ? 'any' : `${String(at)} Å`,
    String(good),
    String(acceptable),
    String(poor),
    index === 0 ? why : '',
  ]);

const otherSections = ({ metrics, ligandEvidence, placementEvidence }: RuleBook): readonly string[] => [
  '## Bands of quality\n',
  'One table serves targets, stops and the words of the summary. Between two resolutions the limits are linear, beyond the ends constant.\n',
  ...table(
    ['metric', 'what', 'resolution', 'good', 'acceptable', 'poor', 'why'],
    Object.entries(metrics).flatMap(([name, metric]) => bandRows(name, metric)),
  ),
  '## Evidence for a placement\n',
  'The first verdict that holds. `found` stands, `open` stands until a refinement tells, `unlikely` and `refuted` send the session searching in another way.\n',
  ...table(
    ['rule', 'verdict', 'holds when', 'why'],
    placementEvidence.verdicts.map(({ id, verdict, when, why }) => [
      `\`${id}\``,
      `\`${verdict}\``,
      conditionText(when),
      why,
    ]),
  ),
  '## Evidence against a ligand\n',
  'A fitted ligand that any of these speaks against is not part of the result.\n',
  ...table(
    ['rule', 'holds when', 'why'],
    ligandEvidence.against.map(({ id, when, why }) => [`\`${id}\``, conditionText(when), why]),
  ),
];

describe('docs/reference/decisions.md', () => {
  it('contains every state, fact, check, threshold and stop rule of the knowledge', async () => {
    const rules = projectRules();
    const text = [preamble, ...Object.values(rules.workflows).flatMap(workflowSections), ...otherSections(rules)].join(
      '\n',
    );
    await expectPage('docs/reference/decisions.md', text);
  });
});
