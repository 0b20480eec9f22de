import { bandAt } from '@fleet/contracts/results';
import { metricValue, type SessionFile } from '@fleet/contracts/sessions';
import { comparedFreeSets, isSamePointGroup } from '@fleet/files';
import type { FactSheet, RuleBook, WorkflowKnowledge } from '@fleet/knowledge-model';
import { isNearCell, nearlyReducedCells, reducedCell } from '@fleet/symmetry';
import { succeeded, type AnalysedCycle } from '../workflow-input';

/** Reflection data of a run with a known free set: its inputs, then its outputs. */
const flaggedOf = (
  { decision, result }: AnalysedCycle,
  byPath: ReadonlyMap<string, SessionFile>,
): readonly SessionFile[] =>
  [...decision.inputs.flatMap(({ path }) => byPath.get(path) ?? []), ...result.outputs].filter(
    ({ facts: { mtz } }) => mtz?.freeSet !== undefined && mtz.observations.length > 0,
  );

const hasToken = ({ decision: { argv } }: AnalysedCycle, wanted: string): boolean =>
  argv.some((token) => token.toLowerCase() === wanted.toLowerCase());

/** The number that a command gives a parameter, 0 if it does not set it. */
const numberGiven = ({ decision: { argv } }: AnalysedCycle, parameter: string): number =>
  Number(argv.find((token) => token.startsWith(`${parameter}=`))?.slice(parameter.length + 1) ?? 0);

/** Whether the refinement that generated the free set first shook the model. */
const drawnOrShaken = (first: AnalysedCycle, programs: RuleBook['programs']): 'drawn' | 'shaken' => {
  const shake = programs[first.decision.program]?.strategy.find(({ key }) => key === 'shake_sites')?.parameter;
  return shake !== undefined && numberGiven(first, shake) > 0 ? 'shaken' : 'drawn';
};

const firstDrawing = (
  cycles: readonly AnalysedCycle[],
  { refinement }: WorkflowKnowledge,
  programs: RuleBook['programs'],
): AnalysedCycle | undefined => {
  const drawing = refinement.filter(({ program }) => programs[program]?.draws_free_set !== undefined);
  return cycles.find((cycle) => succeeded(cycle) && drawing.some(({ program }) => program === cycle.decision.program));
};

/** Where a refinement began, if its model was already refined against the free reflections. */
const usedAtStart = (
  { result }: AnalysedCycle,
  rule: NonNullable<FreeSetRules['bestFiles'][string]['submitted']>,
  metrics: FreeSetRules['metrics'],
): { readonly free: number; readonly work: number } | undefined => {
  const [free, work] = [metricValue(result, rule.at_start), metricValue(result, rule.beside_at_start)];
  if (free === undefined || work === undefined || free - work >= rule.least_gap) return undefined;
  // A model that was never refined against these data (of a crystal of the same form) has the same, high R for all reflections.
  const fitted = bandAt(metrics['r_work']?.bands ?? [], metricValue(result, 'resolution'));
  return fitted !== undefined && work > fitted.poor ? undefined : { free, work };
};

/** Crystals of one form: edges within 5 %, as for `isomorphous`, and angles within 3°. */
const sameForm = { edges: 0.05, angles: 3 };

/** Whether two files are from crystals of one form, whatever the setting of their cells; a model without a crystal has 1 1 1 90 90 90. */
const isSameForm = ({ facts: one }: SessionFile, { facts: other }: SessionFile): boolean => {
  if (one.cell === undefined || other.cell === undefined) return false;
  const [group, otherGroup] = [one.spaceGroup ?? '', other.spaceGroup ?? ''];
  const reduced = reducedCell(other.cell, otherGroup);
  return (
    reduced !== undefined &&
    isSamePointGroup(group, otherGroup) &&
    nearlyReducedCells(one.cell, sameForm, group).some((cell) => isNearCell(reduced, cell, sameForm))
  );
};

/**
 * `search_model_same_crystal`: a submitted model that a search has placed comes from the crystal form of the data. Absent otherwise. A model that
 * was refined against data of the same form knows the intensities of the free reflections nearly as well as one that is already placed.
 */
const addSameCrystal = (
  sheet: FactSheet,
  cycles: readonly AnalysedCycle[],
  byPath: ReadonlyMap<string, SessionFile>,
): void => {
  const placed = cycles.find(({ cycle }) => cycle === sheet['placement.last']);
  const files = placed?.decision.inputs.flatMap(({ path }) => byPath.get(path) ?? []) ?? [];
  const data = files.find(({ facts }) => facts.mtz !== undefined);
  const submitted = files.filter(({ cycle, facts }) => cycle === 0 && facts.model !== undefined);
  if (data !== undefined && submitted.some((model) => isSameForm(data, model))) sheet.search_model_same_crystal = true;
};

/**
 * `free_set_known_to_model`: whether the submitted model was refined against the free reflections before its first refinement here. A model
 * that was placed here counts only if it comes from the same crystal form.
 */
const addFreeSetKnown = (
  sheet: FactSheet,
  cycles: readonly AnalysedCycle[],
  workflow: WorkflowKnowledge,
  { programs, bestFiles, metrics }: FreeSetRules,
): void => {
  const first = firstDrawing(cycles, workflow, programs);
  const rule = bestFiles['model']?.submitted;
  if (first === undefined || rule === undefined) return;
  if (sheet['placement.last'] !== 0 && sheet.search_model_same_crystal !== true) return;
  if (hasToken(first, rule.not_with)) {
    sheet.free_set_known_to_model = drawnOrShaken(first, programs);
    return;
  }
  const start = usedAtStart(first, rule, metrics);
  if (start === undefined) return;
  sheet.free_set_known_to_model = 'used';
  sheet.free_set_start = start.free;
  sheet.free_set_start_work = start.work;
};

type FreeSetRules = Pick<RuleBook, 'programs' | 'bestFiles' | 'metrics'>;

/**
 * `search_model_same_crystal`, `free_set_known_to_model`, `free_set_changed` and `free_set_changed_by`: compares the free set of every
 * refinement with that of the first.
 */
export const addFreeSetFacts = (
  sheet: FactSheet,
  cycles: readonly AnalysedCycle[],
  workflow: WorkflowKnowledge,
  files: readonly SessionFile[],
  ruleBook: FreeSetRules,
): void => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  addSameCrystal(sheet, cycles, byPath);
  addFreeSetKnown(sheet, cycles, workflow, ruleBook);
  const programs = new Set(workflow.refinement.map(({ program }) => program));
  const runs = cycles
    .filter((cycle) => succeeded(cycle) && programs.has(cycle.decision.program))
    .map((cycle) => ({ cycle, data: flaggedOf(cycle, byPath) }));
  const first = runs.find(({ data }) => data.length > 0)?.data[0];
  if (first === undefined) return;
  const changed = runs.find(({ data }) => data.some((file) => comparedFreeSets(first, file) === false));
  sheet.free_set_changed = changed?.cycle.cycle ?? 0;
  if (changed !== undefined) sheet.free_set_changed_by = changed.cycle.decision.program;
};
