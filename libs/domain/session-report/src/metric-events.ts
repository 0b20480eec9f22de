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

/** How metrics are named, printed and judged, and which of them stand for a program. */
type MetricWords = Pick<RuleBook, 'metrics' | 'summary'>;

/** Makes an event of the cycle that it tells about. */
export type MakeEvent = (
  type: SessionEvent['type'],
  message: string,
  data?: Readonly<Record<string, JsonValue>>,
) => SessionEvent;

/** A cycle of the session with what its log gave. */
interface MeasuredRun {
  readonly session: Pick<Session, 'cycles'>;
  readonly cycle: CycleRecord;
  readonly result: Pick<CycleResult, 'metrics'>;
}

/** Shown in one event; all of them are in the record. */
const maxMetrics = 12;

/** Metrics for people, the one that stands for the program first. */
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

/** The value that this metric had before: of the same program, else of any. */
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

/** What a run measured (`metrics_extracted`), and each metric that was measured before, against its last value (`metrics_trend`). */
export const metricEvents = (run: MeasuredRun, words: MetricWords, event: MakeEvent): readonly SessionEvent[] => {
  const { cycle, result } = run;
  if (result.metrics.length === 0) return [];
  const values = Object.fromEntries(result.metrics.map(({ name, value }) => [name, value]));
  const message = metricsSentence(cycle.decision.program, result.metrics, words, maxMetrics);
  return [event('metrics_extracted', message, { metrics: values }), ...trendEvents(run, words, event)];
};
