import { metricValue } from '@fleet/contracts';
import type { RefinementProgram, WorkflowKnowledge } from '@fleet/knowledge-model';
import { succeeded, type AnalysedCycle, type FactSheet } from '../workflow-input';

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

/**
 * `refinement.runs` and the others: a full run of predict_and_build is a refinement too (seed 000, "predict_and_build cascade").
 * @param counted by program, how many of its successes count; the product of the others is gone
 */
export const addRefinementFacts = (
  sheet: FactSheet,
  cycles: readonly AnalysedCycle[],
  { refinement, trend }: WorkflowKnowledge,
  counted: (program: string) => boolean,
): void => {
  const valid = cycles.filter((cycle) => succeeded(cycle) && counted(cycle.decision.program));
  const runs = valid.filter((cycle) => refines(cycle, refinement));
  const full = valid.filter(isFullPrediction);
  sheet['refinement.runs'] = runs.length;
  sheet['refinement.last'] = runs.at(-1)?.cycle ?? 0;
  sheet['refinement.value'] = metricValue(runs.at(-1)?.result, trend.metric);
  sheet['full.predict_and_build'] = full.length;
  sheet['full_last.predict_and_build'] = full.at(-1)?.cycle ?? 0;
};
