import { metricValue } from '@fleet/contracts/sessions';
import type { TrendDefinition, FactSheet } from '@fleet/knowledge-model';
import { succeeded, type AnalysedCycle } from '../workflow-input';

const baselineOf = (cycle: AnalysedCycle, trend: TrendDefinition): number | undefined => {
  const rule = trend.baseline.find(({ program }) => program === cycle.decision.program);
  return rule === undefined ? undefined : metricValue(cycle.result, rule.metric);
};

interface Series {
  readonly baseline?: number;
  readonly values: readonly number[];
}

type Effect = 'replaced' | 'refined' | 'none';

/** What a run did to the model. */
const effectOf = ({ decision: { program }, result }: AnalysedCycle, trend: TrendDefinition): Effect => {
  if (trend.programs.includes(program)) return 'refined';
  if (!trend.reset_by.includes(program)) return 'none';
  return result.metrics.some(({ name, value }) => name === trend.unless && value === true) ? 'refined' : 'replaced';
};

/** Values since the model last changed; the baseline only counts before the first of them. */
const seriesOf = (cycles: readonly AnalysedCycle[], trend: TrendDefinition): Series => {
  let series: Series = { values: [] };
  for (const cycle of cycles.filter(succeeded)) {
    const effect = effectOf(cycle, trend);
    if (effect === 'replaced') series = { values: [] };
    const baseline = baselineOf(cycle, trend);
    if (baseline !== undefined && series.values.length === 0) series = { ...series, baseline };
    const value = effect === 'refined' ? metricValue(cycle.result, trend.metric) : undefined;
    if (value !== undefined) series = { ...series, values: [...series.values, value] };
  }
  return series;
};

/** Improvements from each value to the next; positive is better. */
const gainsOf = ({ baseline, values }: Series, trend: TrendDefinition): readonly number[] => {
  const all = baseline === undefined ? values : [baseline, ...values];
  const sign = trend.better === 'lower' ? -1 : 1;
  return all.slice(1).map((value, index) => sign * (value - (all[index] ?? value)));
};

/** `trend.value`, `trend.gain` and the rest; a gain below `significant` is flat. */
export const addTrendFacts = (sheet: FactSheet, cycles: readonly AnalysedCycle[], trend: TrendDefinition): void => {
  const series = seriesOf(cycles, trend);
  const gains = series.values.length === 0 ? [] : gainsOf(series, trend);
  const significant = gains.findLastIndex((gain) => gain >= trend.significant);
  sheet['trend.runs'] = series.values.length;
  sheet['trend.value'] = series.values.at(-1);
  sheet['trend.best'] =
    series.values.length === 0 ? undefined : (trend.better === 'lower' ? Math.min : Math.max)(...series.values);
  sheet['trend.gain'] = gains.at(-1);
  sheet['trend.flat_runs'] = gains.length - 1 - significant;
};
