import type { FieldProblem } from '@fleet/contracts/faults';
import { statusOfStopReason, shortName } from '@fleet/contracts/sessions';
import { problemsOfAdvice } from './advice-checks';
import type { Condition } from './conditions';
import { factsOf } from './condition-evaluation';
import { factNames, inputFactNames, ligandFacts, placementFacts } from './fact-names';
import type { ProgramKnowledge } from './program-knowledge';
import type { RuleBook } from './rule-book';
import { problemsOfParameters } from './parameter-checks';
import { factsOfTemplate } from './templates';
import type { WorkflowKnowledge } from './workflow-knowledge';

/** Collects problems with their place in a file. */
class Checker {
  readonly problems: FieldProblem[] = [];

  constructor(readonly known: ReadonlySet<string>) {}

  report(field: string, reason: string): void {
    this.problems.push({ field, reason });
  }

  condition(field: string, condition: Condition | undefined, known: ReadonlySet<string> = this.known): void {
    for (const fact of condition === undefined ? [] : factsOf(condition)) this.fact(field, fact, known);
  }

  template(field: string, template: string, known: ReadonlySet<string> = this.known): void {
    for (const fact of factsOfTemplate(template)) this.fact(field, fact, known);
  }

  fact(field: string, fact: string, known: ReadonlySet<string> = this.known): void {
    if (!known.has(fact)) this.report(field, `names the fact "${fact}", which nothing makes`);
  }
}

const duplicates = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) !== index)),
];

const checkSlots = (program: ProgramKnowledge, field: string, ruleBook: RuleBook, checker: Checker): void => {
  const categories = new Set(ruleBook.fileCategories.map(({ name }) => name));
  program.inputs.forEach((slot, index) => {
    const at = `${field}#/inputs/${String(index)}`;
    const named = [...slot.categories, ...(slot.exclude ?? []), ...(slot.prefer ?? []).map(({ category }) => category)];
    for (const category of named.filter((name) => !categories.has(name))) {
      checker.report(at, `names the file category "${category}", which file_categories.yaml lacks`);
    }
    const bringsFreeSet = program.inputs.some((other) => other !== slot && other.free_flags === 'locked');
    if (slot.prefer?.some(({ before_lock }) => before_lock === true) === true && !bringsFreeSet) {
      checker.report(`${at}/prefer`, 'goes before the locked free flags, and no other slot brings them');
    }
    if (slot.best !== undefined && ruleBook.bestFiles[slot.best] === undefined) {
      checker.report(`${at}/best`, `names "${slot.best}", for which metrics.yaml has no scoring`);
    }
  });
  for (const slot of duplicates(program.inputs.map(({ slot }) => slot)))
    checker.report(`${field}#/inputs`, `has the slot "${slot}" twice`);
  const slots = new Set(program.inputs.map(({ slot }) => slot));
  for (const slot of (program.any_of ?? []).flat().filter((name) => !slots.has(name))) {
    checker.report(`${field}#/any_of`, `names the slot "${slot}", which the program lacks`);
  }
};

const checkScatterers = (program: ProgramKnowledge, field: string, checker: Checker): void => {
  const { key: main, others } = program.heavier_first ?? {};
  const keys = new Set<string | undefined>([undefined, ...program.strategy.map(({ key }) => key)]);
  for (const key of [main, others].filter((one) => !keys.has(one)))
    checker.report(`${field}#/heavier_first`, `names "${String(key)}", which is not a strategy key of the program`);
  for (const definition of program.strategy) {
    if (definition.type === 'element' && definition.several === true && main !== definition.key)
      checker.report(
        `${field}#/strategy/${definition.key}`,
        'takes several elements, but heavier_first does not name it',
      );
  }
};

const checkProgram = (program: ProgramKnowledge, ruleBook: RuleBook, checker: Checker): void => {
  const field = `programs/${shortName(program.name)}.yaml`;
  const defined = program.experiments.flatMap((one) => ruleBook.workflows[one].definitions.map(({ fact }) => fact));
  const known = new Set([...checker.known, ...defined, ...inputFactNames(program)]);
  checkSlots(program, field, ruleBook, checker);
  const keys = new Set(program.strategy.map(({ key }) => key));
  for (const key of duplicates(program.strategy.map(({ key }) => key)))
    checker.report(`${field}#/strategy`, `has the key "${key}" twice`);
  program.inputs.forEach((slot, index) => {
    checker.condition(`${field}#/inputs/${String(index)}/when`, slot.when, known);
    for (const { when } of slot.prefer ?? [])
      checker.condition(`${field}#/inputs/${String(index)}/prefer`, when, known);
  });
  program.auto_fill.forEach((fill, index) => {
    const at = `${field}#/auto_fill/${String(index)}`;
    if (!keys.has(fill.key)) checker.report(at, `fills "${fill.key}", which is not a strategy key of the program`);
    checker.condition(at, fill.when, known);
    if ('fact' in fill.value) checker.fact(at, fill.value.fact, known);
    if ('template' in fill.value) checker.template(at, fill.value.template, known);
  });
  checkScatterers(program, field, checker);
  const measured = new Set(program.metrics.flatMap(({ metric, metrics = {} }) => [metric, ...Object.keys(metrics)]));
  const compared = program.unchanged_when?.metrics.flatMap(({ metric, at_start }) => [metric, at_start]) ?? [];
  for (const name of compared.filter((one) => !measured.has(one)))
    checker.report(`${field}#/unchanged_when`, `names the metric "${name}", which the program does not measure`);
  const early = program.stops_early?.key;
  if (early !== undefined && !keys.has(early))
    checker.report(`${field}#/stops_early`, `names "${early}", which is not a strategy key of the program`);
  program.requirements.forEach(({ when }, index) =>
    checker.condition(`${field}#/requirements/${String(index)}`, when, known),
  );
  for (const { field: at, reason } of problemsOfParameters(program, ruleBook.errors, field)) checker.report(at, reason);
  for (const { key, when } of program.strategy) checker.condition(`${field}#/strategy/${key}`, when, known);
};

const checkSteps = (workflow: WorkflowKnowledge, field: string, ruleBook: RuleBook, checker: Checker): void => {
  for (const [step, { programs, for_models = [], blocked, stop_when, when_empty }] of Object.entries(workflow.steps)) {
    if (when_empty !== undefined && workflow.steps[when_empty]?.programs.length !== 0)
      checker.report(
        `${field}#/steps/${step}/when_empty`,
        `names the step "${when_empty}", which is not there or offers something itself`,
      );
    for (const { program, when, why } of [...programs, ...for_models]) {
      const at = `${field}#/steps/${step}/${program}`;
      const knowledge = ruleBook.programs[program];
      if (knowledge === undefined) checker.report(at, 'is not described in programs/');
      else if (!knowledge.experiments.includes(workflow.experiment))
        checker.report(at, `is not for ${workflow.experiment}`);
      checker.condition(at, when);
      checker.template(at, why);
    }
    checker.condition(`${field}#/steps/${step}/stop_when`, stop_when);
    if (blocked !== undefined) checker.template(`${field}#/steps/${step}/blocked`, blocked.detail);
  }
};

const checkRules = (workflow: WorkflowKnowledge, field: string, checker: Checker): void => {
  workflow.detection.forEach(({ id, when, step, why }) => {
    checker.condition(`${field}#/detection/${id}`, when);
    checker.template(`${field}#/detection/${id}`, why);
    if (workflow.steps[step] === undefined)
      checker.report(`${field}#/detection/${id}`, `leads to the step "${step}", which is not there`);
  });
  if (workflow.detection.at(-1)?.step !== 'complete')
    checker.report(`${field}#/detection`, 'must end with a rule for the step "complete"');
  workflow.checks.forEach(({ id, when, message }) => {
    checker.condition(`${field}#/checks/${id}`, when);
    checker.template(`${field}#/checks/${id}`, message);
  });
  workflow.stops.forEach(({ id, when, detail, notes }) => {
    checker.condition(`${field}#/stops/${id}`, when);
    checker.template(`${field}#/stops/${id}`, detail);
    for (const note of notes ?? []) {
      checker.condition(`${field}#/stops/${id}/notes`, note.when);
      checker.template(`${field}#/stops/${id}/notes`, note.text);
    }
  });
};

const checkWorkflow = (
  workflow: WorkflowKnowledge,
  ruleBook: RuleBook,
  base: ReadonlySet<string>,
): readonly FieldProblem[] => {
  const field = `workflows/${workflow.experiment}.yaml`;
  const known = new Set(base);
  const checker = new Checker(known);
  for (const { fact, when } of workflow.definitions) {
    checker.condition(`${field}#/definitions/${fact}`, when);
    if (known.has(fact)) checker.report(`${field}#/definitions/${fact}`, 'is there already');
    known.add(fact);
  }
  if (ruleBook.metrics[workflow.target.metric] === undefined)
    checker.report(`${field}#/target/metric`, 'is not in metrics.yaml');
  const { trend, refinement, new_model, placement } = workflow;
  const named = [trend.programs, refinement.map((one) => one.program), new_model.programs, placement.programs].flat();
  for (const program of named) {
    if (ruleBook.programs[program] === undefined)
      checker.report(`${field}#/refinement`, `names "${program}", which is not described`);
  }
  if (trend.unless !== undefined && ruleBook.metrics[trend.unless] === undefined)
    checker.report(`${field}#/trend/unless`, 'is not in metrics.yaml');
  checkSteps(workflow, field, ruleBook, checker);
  checkRules(workflow, field, checker);
  return checker.problems;
};

const checkErrors = ({ errors, programs }: RuleBook, checker: Checker): void => {
  const ids = new Set(errors.known.map(({ id }) => id));
  const keys = new Set(Object.values(programs).flatMap(({ strategy }) => strategy.map(({ key }) => key)));
  const slots = new Set(Object.values(programs).flatMap(({ inputs }) => inputs.map(({ slot }) => slot)));
  const named = (at: string, names: readonly string[], known: ReadonlySet<string>, what: string): void => {
    for (const name of names.filter((one) => !known.has(one)))
      checker.report(at, `names the ${what} "${name}", which nothing has`);
  };
  for (const { id, programs: whose = [] } of errors.known)
    named(`errors.yaml#/known/${id}/programs`, whose, new Set(Object.keys(programs)), 'program');
  for (const { id, action } of errors.recoverable) {
    const at = `errors.yaml#/recoverable/${id}`;
    named(at, [id], ids, 'known error');
    if ('set' in action) named(at, Object.keys(action.set), keys, 'strategy key');
    if ('drop_keys' in action) named(at, action.drop_keys, keys, 'strategy key');
    if ('drop_slots' in action) named(at, action.drop_slots, slots, 'slot');
  }
  named('errors.yaml#/labels/key', Object.values(errors.labels.key), keys, 'strategy key');
  const { phase_key } = errors.labels;
  named('errors.yaml#/labels/phase_key', Object.values(phase_key), keys, 'strategy key');
  named('errors.yaml#/labels/phase_key', Object.keys(phase_key), new Set(Object.keys(programs)), 'program');
};

const checkLigandEvidence = ({ ligandEvidence, programs, metrics, errors }: RuleBook, checker: Checker): void => {
  const at = 'metrics.yaml#/ligand_evidence';
  const { fit, merge, refinement, omit, restraints } = ligandEvidence.programs;
  for (const key of ['no_restraints', 'no_density'] as const)
    if (!errors.known.some(({ id }) => id === ligandEvidence[key]))
      checker.report(`${at}/${key}`, `names the known error "${ligandEvidence[key]}", which nothing has`);
  for (const name of [fit, merge, omit, restraints, ...refinement].filter((one) => programs[one] === undefined))
    checker.report(`${at}/programs`, `names "${name}", which is not described`);
  const known = new Set([...Object.keys(metrics), ...Object.keys(ligandFacts)]);
  for (const { when, says } of [ligandEvidence.against, ligandEvidence.in_favour, ligandEvidence.sentences].flat()) {
    checker.condition(at, when, known);
    checker.template(at, says, known);
  }
};

const checkStopWords = ({ stopWords }: RuleBook, checker: Checker): void => {
  const reasons = Object.keys(statusOfStopReason);
  for (const reason of reasons.filter((name) => !Object.hasOwn(stopWords, name)))
    checker.report('stops.yaml#/stops', `lacks the reason "${reason}"`);
  for (const [reason, { said }] of Object.entries(stopWords)) {
    const at = `stops.yaml#/stops/${reason}`;
    if (!reasons.includes(reason)) checker.report(at, 'is no reason to stop');
    for (const { when, text } of said) {
      checker.condition(at, when);
      checker.template(at, text);
    }
  }
};

const checkGeometry = ({ geometry, metrics }: RuleBook, checker: Checker): void => {
  for (const { metric, at_start } of geometry.metrics)
    for (const name of [metric, at_start].filter((one) => metrics[one] === undefined))
      checker.report('metrics.yaml#/geometry', `names the metric "${name}", which is not described`);
};

const checkSummary = ({ summary, programs, metrics }: RuleBook, checker: Checker): void => {
  const known = new Set(Object.keys(metrics));
  for (const [program, condition] of Object.entries(summary.not_placed)) {
    const at = `metrics.yaml#/summary/not_placed/${program}`;
    if (programs[program] === undefined) checker.report(at, 'is not described in programs/');
    checker.condition(at, condition, known);
  }
  for (const name of Object.values(summary.fit)
    .flat()
    .filter((metric) => !known.has(metric)))
    checker.report('metrics.yaml#/summary/fit', `names the metric "${name}", which is not described`);
};

/** Checks the search: its programs, the keys of its strategy, its files. */
const checkSearch = ({ placementEvidence, programs, fileCategories }: RuleBook, at: string, checker: Checker): void => {
  const { search, refinement, rebuild, analysis, trim } = placementEvidence.programs;
  for (const name of [search, rebuild, analysis, trim, ...refinement].filter((one) => programs[one] === undefined))
    checker.report(`${at}/programs`, `names "${name}", which is not described`);
  const own = new Set(programs[search]?.strategy.map(({ key }) => key));
  for (const key of Object.values(placementEvidence.keys)
    .flat()
    .filter((one) => !own.has(one)))
    checker.report(`${at}/keys`, `names "${key}", which is not a strategy key of ${search}`);
  const { categories, exclude } = placementEvidence.candidates;
  const known = new Set(fileCategories.map(({ name }) => name));
  for (const name of [...categories, ...exclude].filter((one) => !known.has(one)))
    checker.report(`${at}/candidates`, `names the file category "${name}", which file_categories.yaml lacks`);
};

const checkPlacementEvidence = (ruleBook: RuleBook, checker: Checker): void => {
  const { placementEvidence, metrics, errors } = ruleBook;
  const at = 'metrics.yaml#/placement_evidence';
  checkSearch(ruleBook, at, checker);
  if (!errors.known.some(({ id }) => id === placementEvidence.no_solution))
    checker.report(`${at}/no_solution`, `names the known error "${placementEvidence.no_solution}", which nothing has`);
  const known = new Set([...Object.keys(metrics), ...Object.keys(placementFacts)]);
  for (const { when, says } of placementEvidence.verdicts) {
    checker.condition(at, when, known);
    checker.template(at, says, known);
  }
  checker.condition(`${at}/clear`, placementEvidence.clear, known);
  const groups = new Set(placementEvidence.space_groups.flat());
  for (const group of placementEvidence.hands.flat().filter((one) => !groups.has(one)))
    checker.report(`${at}/hands`, `names the space group "${group}", which space_groups lacks`);
};

/** Checks that schemas cannot express: names in one file that another file must define. */
export const crossCheck = (ruleBook: RuleBook, paths: readonly string[]): readonly FieldProblem[] => {
  const programs = Object.values(ruleBook.programs);
  const base = factNames({ programs, fileCategories: ruleBook.fileCategories, metrics: ruleBook.metrics });
  const checker = new Checker(base);
  for (const { name } of programs) {
    const path = `programs/${shortName(name)}.yaml`;
    if (!paths.includes(path)) checker.report(path, `must be the file of ${name}`);
  }
  for (const name of duplicates(ruleBook.fileCategories.map(({ name }) => name))) {
    checker.report('file_categories.yaml', `has the category "${name}" twice`);
  }
  for (const program of programs) checkProgram(program, ruleBook, checker);
  checkErrors(ruleBook, checker);
  checkLigandEvidence(ruleBook, checker);
  checkGeometry(ruleBook, checker);
  checkSummary(ruleBook, checker);
  checkPlacementEvidence(ruleBook, checker);
  checkStopWords(ruleBook, checker);
  const workflows = Object.values(ruleBook.workflows).flatMap((workflow) => checkWorkflow(workflow, ruleBook, base));
  return [...checker.problems, ...workflows, ...problemsOfAdvice(ruleBook)];
};
