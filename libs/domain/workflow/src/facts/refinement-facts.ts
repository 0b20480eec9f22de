import { metricValue } from '@fleet/contracts';
import type { SubmittedValue } from '@fleet/files';
import type { RefinementProgram, RuleBook, TrendDefinition, WorkflowKnowledge } from '@fleet/knowledge-model';
import { succeeded, type AnalysedCycle, type FactSheet, type FilesView } from '../workflow-input';

type Programs = RuleBook['programs'];

/** Whether a key with a fixed text was switched on: as decided or, of a command from elsewhere, as its parameter says. */
const isGiven = (
  { decision: { program, strategy, argv } }: AnalysedCycle,
  key: string,
  programs: Programs,
): boolean => {
  const parameter = programs[program]?.strategy.find((one) => one.key === key)?.parameter;
  return strategy[key] === true || (parameter !== undefined && argv.some((token) => token.startsWith(`${parameter}=`)));
};

/** Whether a boolean parameter was switched on, as decided or, of a command from elsewhere, as written. */
const isSet = ({ decision: { strategy, argv } }: AnalysedCycle, key: string): boolean =>
  strategy[key] === true || argv.some((token) => token.toLowerCase().endsWith(`${key}=true`));

const refines = (cycle: AnalysedCycle, programs: readonly RefinementProgram[]): boolean =>
  programs.some(
    ({ program, unless }) => program === cycle.decision.program && (unless === undefined || !isSet(cycle, unless)),
  );

/** A run of predict_and_build that went on to a built model. */
const isFullPrediction = (cycle: AnalysedCycle): boolean =>
  cycle.decision.program === 'phenix.predict_and_build' && !isSet(cycle, 'stop_after_predict');

/** Cycle of the last success of one of these; a predict_and_build that stopped after the prediction left no model in its place. */
const lastOf = (cycles: readonly AnalysedCycle[], programs: readonly string[]): number =>
  cycles.findLast(
    (cycle) =>
      programs.includes(cycle.decision.program) &&
      (cycle.decision.program !== 'phenix.predict_and_build' || isFullPrediction(cycle)),
  )?.cycle ?? 0;

/** What refinement came to; of a model that is still the submitted one, how it fits by itself counts as well. */
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

/**
 * `refinement.runs` and the others: a full run of predict_and_build is a refinement too (phenix-agent.md#states).
 * @param counted by program, whether its successes count; the product of the others is gone
 * @param submitted how the submitted model fits by itself
 */
export const addRefinementFacts = (
  sheet: FactSheet,
  cycles: readonly AnalysedCycle[],
  { refinement, trend, new_model, placement }: WorkflowKnowledge,
  programs: Programs,
  { counted, submitted }: { readonly counted: (program: string) => boolean; readonly submitted?: SubmittedValue },
): void => {
  const valid = cycles.filter((cycle) => succeeded(cycle) && counted(cycle.decision.program));
  const runs = valid.filter((cycle) => refines(cycle, refinement));
  const full = valid.filter(isFullPrediction);
  sheet['refinement.runs'] = runs.length;
  sheet['refinement.last'] = runs.at(-1)?.cycle ?? 0;
  sheet['refinement.value'] = metricValue(runs.at(-1)?.result, trend.metric);
  addBest(sheet, runs, lastOf(valid, new_model.programs), trend, submitted);
  const placedAt = lastOf(valid, placement.programs);
  sheet['placement.last'] = placedAt;
  sheet['anisotropic_refinements'] = runs.filter(
    (run) => run.cycle > placedAt && isGiven(run, 'anisotropic_adp', programs),
  ).length;
  sheet['full.predict_and_build'] = full.length;
  sheet['full_last.predict_and_build'] = full.at(-1)?.cycle ?? 0;
};

/** `submitted.value`, and whether the submitted model is still the best although something was made of it. */
export const addSubmittedFacts = (
  sheet: FactSheet,
  { best }: FilesView,
  submitted: SubmittedValue | undefined,
): void => {
  sheet['submitted.value'] = submitted?.value;
  const isBest = submitted !== undefined && best.get('model')?.file.path === submitted.file.path;
  sheet.submitted_is_best = isBest && Number(sheet['refinement.runs']) > 0;
};
