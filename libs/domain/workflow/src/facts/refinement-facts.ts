import { metricValue, shortName } from '@fleet/contracts/sessions';
import type { Lineage, SubmittedValue } from '@fleet/files';
import type { FactSheet, RuleBook, TrendDefinition, WorkflowKnowledge } from '@fleet/knowledge-model';
import { succeeded, type AnalysedCycle, type FilesView } from '../workflow-input';

type Programs = RuleBook['programs'];

/** Whether a key was switched on, in the decision or, for a command of a client, in its text: as a boolean or with its fixed text. */
const isOn = ({ decision: { program, strategy, argv } }: AnalysedCycle, key: string, programs: Programs): boolean => {
  const parameter = programs[program]?.strategy.find((one) => one.key === key)?.parameter;
  const isWritten = (token: string): boolean =>
    token.toLowerCase().endsWith(`${key}=true`) ||
    (parameter !== undefined && token.startsWith(`${parameter}=`) && !token.toLowerCase().endsWith('=false'));
  return strategy[key] === true || argv.some(isWritten);
};

/** Whether a run did everything that its program can do. */
const isFull = (cycle: AnalysedCycle, programs: Programs): boolean => {
  const early = programs[cycle.decision.program]?.stops_early;
  return early === undefined || !isOn(cycle, early.key, programs);
};

/** Cycle of the last of them, 0 for none. */
const lastOf = (full: readonly AnalysedCycle[], programs: readonly string[]): number =>
  full.findLast(({ decision }) => programs.includes(decision.program))?.cycle ?? 0;

/** `full.predict_and_build` and `full_last.predict_and_build`: programs that can stop early. */
const addFullRuns = (sheet: FactSheet, full: readonly AnalysedCycle[], programs: Programs): void => {
  for (const { name } of Object.values(programs).filter(({ stops_early }) => stops_early !== undefined)) {
    const own = full.filter(({ decision }) => decision.program === name);
    sheet[`full.${shortName(name)}`] = own.length;
    sheet[`full_last.${shortName(name)}`] = own.at(-1)?.cycle ?? 0;
  }
};

/** The best value of refinement. For a model that is still the submitted one, its initial fit counts too. */
const addBest = (
  sheet: FactSheet,
  runs: readonly AnalysedCycle[],
  since: number,
  trend: TrendDefinition,
  submitted: SubmittedValue | undefined,
): void => {
  const values = runs
    .filter(({ cycle }) => cycle >= since)
    .map(({ result }) => metricValue(result, trend.metric))
    .filter((value) => value !== undefined);
  const last = values.at(-1);
  if (last === undefined) return;
  const bestOf = trend.better === 'lower' ? Math.min : Math.max;
  const own = since === 0 && submitted !== undefined ? [submitted.value] : [];
  const best = bestOf(...values, ...own);
  sheet['refinement.reached'] = bestOf(...values);
  sheet['refinement.best'] = best;
  sheet['refinement.worse'] = Math.abs(last - best) >= trend.significant;
};

interface RefinementContext {
  /** By program: whether its successes count. The output of the others is missing. */
  readonly counted: (program: string) => boolean;
  /** How the submitted model fits without refinement. */
  readonly submitted?: SubmittedValue;
  /** The cycle after which the current advice came, 0 for the submission. */
  readonly askedAfter: number;
  /** Whether the submitter switched a key of refinement off, permanently or until a metric is reached. */
  readonly isRefused: (key: string) => boolean;
}

/** `refinement.runs` and its family. A run that stopped early refined nothing (phenix-agent.md#states). */
export const addRefinementFacts = (
  sheet: FactSheet,
  cycles: readonly AnalysedCycle[],
  { refinement, trend, new_model, placement }: WorkflowKnowledge,
  programs: Programs,
  { counted, submitted, askedAfter, isRefused }: RefinementContext,
): void => {
  const full = cycles.filter((cycle) => succeeded(cycle) && counted(cycle.decision.program) && isFull(cycle, programs));
  const runs = full.filter(({ decision }) => refinement.some(({ program }) => program === decision.program));
  sheet['refinement.runs'] = runs.length;
  sheet['refinement.earlier'] = runs.filter(({ cycle }) => cycle <= askedAfter).length;
  sheet['refinement.last'] = runs.at(-1)?.cycle ?? 0;
  sheet['refinement.value'] = metricValue(runs.at(-1)?.result, trend.metric);
  addBest(sheet, runs, lastOf(full, new_model.programs), trend, submitted);
  const placedAt = lastOf(full, placement.programs);
  sheet['placement.last'] = placedAt;
  const sincePlacement = runs.filter(({ cycle }) => cycle > placedAt);
  const countOn = (key: string): number => sincePlacement.filter((run) => isOn(run, key, programs)).length;
  sheet.anisotropic_refinements = countOn('anisotropic_adp');
  sheet.anisotropic_refused = isRefused('anisotropic_adp');
  sheet.water_refinements = countOn('ordered_solvent');
  sheet.waters_refused = isRefused('ordered_solvent');
  addFullRuns(sheet, full, programs);
};

/**
 * `result.fit`: how the best model fits. Another refinement may have come to a better number with a model that is worse in all else; where
 * nothing has measured the best model, the best number of the refinements. `result.r_work`: its R-work, if its own fit was measured.
 */
export const addResultFit = (
  sheet: FactSheet,
  { best }: FilesView,
  lineage: Lineage,
  { metric }: TrendDefinition,
): void => {
  const model = best.get('model')?.file;
  const own = model === undefined || model.cycle === 0 ? undefined : lineage.measured(model, metric);
  const fit = own ?? sheet['refinement.best'];
  if (fit !== undefined) sheet['result.fit'] = fit;
  const work = own === undefined || model === undefined ? undefined : lineage.measured(model, 'r_work');
  if (work !== undefined) sheet['result.r_work'] = work;
};

/** `submitted.value`, and whether the submitted model is still the best although later runs changed it. */
export const addSubmittedFacts = (
  sheet: FactSheet,
  { best }: FilesView,
  submitted: SubmittedValue | undefined,
): void => {
  sheet['submitted.value'] = submitted?.value;
  const isBest = submitted !== undefined && best.get('model')?.file.path === submitted.file.path;
  sheet.submitted_is_best = isBest && Number(sheet['refinement.runs']) > 0;
};
