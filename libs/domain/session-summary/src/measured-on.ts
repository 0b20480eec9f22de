import type { Session, SessionFit } from '@fleet/contracts/sessions';
import {
  categorise,
  geometryFaults,
  excludedFromResult,
  lineageOf,
  sessionFiles,
  succeededCycles,
  type SucceededCycle,
} from '@fleet/files';
import { holds, type ProgramGroup, type RuleBook } from '@fleet/knowledge-model';
import { experimentOf, metricTrend, qualityWord } from '@fleet/session-report';
import { bestResult, type BestResult } from './summary-best';
import { lastMetric, resolutionOf } from './summary-facts';

/** The cycles whose metrics are those of a session's result. */
export interface MeasuredOn extends Partial<Pick<BestResult, 'model' | 'measuredAtStart'>> {
  readonly cycles: readonly SucceededCycle[];
}

/** A measurement which showed that the model is not placed: its metrics belong to no result. */
const isOfUnplacedModel = (
  { decision, result }: SucceededCycle,
  { not_placed: conditions }: RuleBook['summary'],
): boolean => {
  const condition = conditions[decision.program];
  if (condition === undefined) return false;
  return holds(condition, Object.fromEntries(result.metrics.map(({ name, value }) => [name, value])));
};

/**
 * If the best model has its own metric, the cycles about it; otherwise all successful cycles, except measurements of unplaced models, and of
 * models with a ligand without evidence.
 */
export const measuredOn = (session: Session, ruleBook: RuleBook): MeasuredOn => {
  const best = bestResult(session, ruleBook);
  const isMeasured = best?.cycles.some(
    ({ cycle, decision, result }) =>
      result.metrics.length > 0 &&
      (cycle === best.model.cycle || decision.inputs.some(({ path }) => path === best.model.path)),
  );
  if (best !== undefined && isMeasured === true) return best;
  const beside = excludedFromResult(session, ruleBook);
  const cycles = succeededCycles(session).filter(
    (cycle) => !beside.cycles.has(cycle.cycle) && !isOfUnplacedModel(cycle, ruleBook.summary),
  );
  return { cycles };
};

/** Programs for R values: those of the refined model, not of a map that was made for inspection. */
const refiningGroups: readonly ProgramGroup[] = ['refinement', 'building'];
const judges: Readonly<Record<string, readonly ProgramGroup[]>> = { r_free: refiningGroups, r_work: refiningGroups };
/** Programs for all other metrics; if they did not measure one, any program counts. */
const otherJudges: readonly ProgramGroup[] = ['validation'];

/** A metric as last measured by the relevant programs, otherwise by any. */
export const judged = (
  cycles: readonly SucceededCycle[],
  name: string,
  programs: RuleBook['programs'],
): ReturnType<typeof lastMetric> => {
  const groups = judges[name] ?? otherJudges;
  const own = cycles.filter(({ decision }) => {
    const group = programs[decision.program]?.group;
    return group !== undefined && groups.includes(group);
  });
  return lastMetric(own, name) ?? lastMetric(cycles, name);
};

/**
 * How well the result fits its data: the metric of a session in a list, with its trend since the cycle before (whose `fit` is in the record).
 * Undefined before a measurement.
 */
export const fitOf = (session: Session, ruleBook: RuleBook): SessionFit | undefined => {
  const { cycles } = measuredOn(session, ruleBook);
  const resolution = resolutionOf(session, ruleBook.programs);
  for (const metric of ruleBook.summary.fit[experimentOf(session)]) {
    const value = judged(cycles, metric, ruleBook.programs)?.value;
    if (typeof value !== 'number') continue;
    const rWork = metric === 'r_free' ? judged(cycles, 'r_work', ruleBook.programs)?.value : undefined;
    const quality = qualityOf(metric, value, session, ruleBook);
    const trend = trendOf(session, { metric, value }, ruleBook);
    return {
      metric,
      value,
      ...(resolution !== undefined && { resolution }),
      ...(typeof rWork === 'number' && { rWork }),
      ...(quality !== undefined && { quality }),
      ...(trend !== undefined && { trend }),
    };
  }
  return undefined;
};

/** A fit at the cost of the model's geometry is not a good fit: the verdict of the stop rules, for a list of sessions. */
const isGeometryWorse = (session: Session, ruleBook: RuleBook): boolean => {
  const models = categorise(sessionFiles(session), ruleBook.fileCategories).get('model') ?? [];
  const lineage = lineageOf(models, session.cycles);
  const resolution = resolutionOf(session, ruleBook.programs);
  const faultsOf = geometryFaults({ lineage, cycles: session.cycles, resolution }, ruleBook);
  return faultsOf(bestResult(session, ruleBook)?.model).length > 0;
};

const qualityOf = (metric: string, value: number, session: Session, ruleBook: RuleBook): SessionFit['quality'] => {
  const definition = ruleBook.metrics[metric];
  // What an analysis of the data says about a submitted model does not show that a structure is solved.
  const isAnalysed = succeededCycles(session).every(
    ({ decision }) => ruleBook.programs[decision.program]?.measures_data !== undefined,
  );
  if (definition === undefined || isAnalysed) return undefined;
  const word = qualityWord(value, definition, resolutionOf(session, ruleBook.programs));
  return word !== undefined && isGeometryWorse(session, ruleBook) ? 'needs improvement' : word;
};

/** A cycle that measures nothing new leaves the trend unchanged. */
const trendOf = (
  { cycles }: Session,
  { metric, value }: Pick<SessionFit, 'metric' | 'value'>,
  { metrics }: RuleBook,
): SessionFit['trend'] => {
  const before = cycles.findLast(({ result }) => result?.fit?.metric === metric)?.result?.fit;
  const definition = metrics[metric];
  if (before === undefined || definition === undefined) return undefined;
  return before.value === value ? before.trend : metricTrend(before.value, value, definition)?.direction;
};
