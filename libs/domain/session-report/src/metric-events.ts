import {
  analysedCycles,
  metricValue,
  type CycleRecord,
  type CycleResult,
  type JsonValue,
  type Metric,
  type Session,
  type SessionEvent,
} from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { metricLabel, metricText } from './metric-text';
import { metricTrend } from './metric-trend';

/** Names, formats and ratings of metrics, and the key metrics of programs. */
type MetricWords = Pick<RuleBook, 'metrics' | 'summary'>;

/** Makes an event of the current cycle. */
export type MakeEvent = (
  type: SessionEvent['type'],
  message: string,
  data?: Readonly<Record<string, JsonValue>>,
) => SessionEvent;

/** A cycle of the session with the metrics of its log. */
interface MeasuredRun {
  readonly session: Pick<Session, 'cycles'>;
  readonly cycle: CycleRecord;
  readonly result: Pick<CycleResult, 'metrics'>;
}

/** Maximum number in one event; the record has all. */
const maxMetrics = 12;

/** Metrics for people, the program's key metric first. */
export const metricsSentence = (
  program: string,
  metrics: readonly Metric[],
  words: MetricWords,
  most: number,
): string => {
  const first = words.summary.steps[program]?.metrics ?? [];
  const rank = ({ name }: Metric): number => (first.includes(name) ? first.indexOf(name) : first.length);
  return metrics
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, most)
    .map(({ name, value }) => `${metricLabel(name, words.metrics)} ${metricText(name, value, words.metrics)}`)
    .join(', ');
};

/** The previous value of this metric: of the same program, otherwise of any. */
const previousValue = ({ session, cycle }: MeasuredRun, name: string): number | undefined => {
  const earlier = analysedCycles(session).filter(
    (record) => record.cycle < cycle.cycle && metricValue(record.result, name) !== undefined,
  );
  const same = earlier.findLast(({ decision }) => decision.program === cycle.decision.program);
  return metricValue((same ?? earlier.at(-1))?.result, name);
};

const trendEvents = (run: MeasuredRun, { metrics }: MetricWords, event: MakeEvent): readonly SessionEvent[] =>
  run.result.metrics.flatMap(({ name, value }) => {
    const definition = metrics[name];
    const previous = previousValue(run, name);
    if (typeof value !== 'number' || previous === undefined || definition?.significant === undefined) return [];
    const trend = metricTrend(previous, value, definition);
    if (trend === undefined) return [];
    const [from, to] = [previous, value].map((one) => metricText(name, one, metrics));
    const message = `${metricLabel(name, metrics)} ${from ?? ''} ${trend.arrow} ${to ?? ''} (${trend.direction})`;
    return [
      event('metrics_trend', message, {
        metric: name,
        previous,
        current: value,
        arrow: trend.arrow,
        direction: trend.direction,
      }),
    ];
  });

/** The metrics of a run (`metrics_extracted`), and the trend of each metric that was measured before (`metrics_trend`). */
export const metricEvents = (run: MeasuredRun, words: MetricWords, event: MakeEvent): readonly SessionEvent[] => {
  const { cycle, result } = run;
  if (result.metrics.length === 0) return [];
  const values = Object.fromEntries(result.metrics.map(({ name, value }) => [name, value]));
  const message = metricsSentence(cycle.decision.program, result.metrics, words, maxMetrics);
  return [event('metrics_extracted', message, { metrics: values }), ...trendEvents(run, words, event)];
};
