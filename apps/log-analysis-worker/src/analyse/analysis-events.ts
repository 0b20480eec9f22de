import {
  analysedCycles,
  metricValue,
  statusOfStopReason,
  type CycleRecord,
  type CycleResult,
  type JsonValue,
  type Session,
  type SessionEvent,
  type SessionStop,
} from '@fleet/contracts';
import type { RuleBook } from '@fleet/knowledge-model';
import { isSimulated, metricLabel, metricText, metricTrend, programTime } from '@fleet/session-report';
import { metricsSentence } from './judge-run';

export interface AnalysedRun {
  readonly session: Session;
  readonly cycle: CycleRecord;
  readonly result: CycleResult;
  readonly warnings: readonly string[];
  readonly stop: SessionStop | undefined;
}

type MakeEvent = (
  type: SessionEvent['type'],
  message: string,
  data?: Readonly<Record<string, JsonValue>>,
) => SessionEvent;

/** Shown in one event; all of them are in the record. */
const mostMetrics = 12;

/** The value that this metric had before: of the same program, else of any. */
const previousValue = (session: Session, cycle: CycleRecord, name: string): number | undefined => {
  const earlier = analysedCycles(session).filter(
    (record) => record.cycle < cycle.cycle && metricValue(record.result, name) !== undefined,
  );
  const same = earlier.findLast(({ decision }) => decision.program === cycle.decision.program);
  return metricValue((same ?? earlier.at(-1))?.result, name);
};

const trendEvents = (
  { session, cycle, result }: AnalysedRun,
  ruleBook: RuleBook,
  event: MakeEvent,
): readonly SessionEvent[] =>
  result.metrics.flatMap(({ name, value }) => {
    const definition = ruleBook.metrics[name];
    const previous = previousValue(session, cycle, name);
    if (typeof value !== 'number' || previous === undefined || definition?.significant === undefined) return [];
    const trend = metricTrend(previous, value, definition);
    if (trend === undefined) return [];
    const [from, to] = [previous, value].map((one) => metricText(name, one, ruleBook.metrics));
    const message = `${metricLabel(name, ruleBook.metrics)} ${from ?? ''} ${trend.arrow} ${to ?? ''} (${trend.direction})`;
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

const metricEvents = (run: AnalysedRun, ruleBook: RuleBook, event: MakeEvent): readonly SessionEvent[] => {
  const { cycle, result } = run;
  if (result.metrics.length === 0) return [];
  const values = Object.fromEntries(result.metrics.map(({ name, value }) => [name, value]));
  const message = metricsSentence(cycle.decision.program, result.metrics, ruleBook, mostMetrics);
  return [event('metrics_extracted', message, { metrics: values }), ...trendEvents(run, ruleBook, event)];
};

const outcomeEvents = ({ cycle, result, warnings }: AnalysedRun, event: MakeEvent): readonly SessionEvent[] => {
  const { program } = cycle.decision;
  const failed = result.outcome === 'failed';
  const data = {
    program,
    outcome: result.outcome,
    outputs: result.outputs.map(({ path }) => path),
    durationMs: programTime(cycle),
    ...(isSimulated(cycle) ? { provider: 'simulated' } : {}),
  };
  return [
    ...[...warnings, ...(result.leftOut ?? [])].map((warning) => event('warning', warning)),
    ...(failed ? [event('error', `${program} failed: ${result.summary}`, { program, lines: result.errorLines })] : []),
    event('cycle_complete', `${program} ${failed ? 'failed' : 'succeeded'}: ${result.summary}`, data),
  ];
};

const stopEvents = ({ stop }: AnalysedRun, event: MakeEvent): readonly SessionEvent[] => {
  if (stop === undefined) return [event('stop_decision', 'The session goes on.', { stop: false })];
  const { reason, detail } = stop;
  return [
    event('stop_decision', `STOP: ${detail}`, { stop: true, reason }),
    event('session_ended', detail, { status: statusOfStopReason[reason], reason }),
  ];
};

/** What is told about an analysed run, in the order in which it is read. */
export const analysisEvents = (run: AnalysedRun, ruleBook: RuleBook): readonly SessionEvent[] => {
  const { cycle, result } = run;
  const event: MakeEvent = (type, message, data = {}) => ({
    type,
    cycle: cycle.cycle,
    at: result.analysedAt,
    message,
    data,
  });
  return [...metricEvents(run, ruleBook, event), ...outcomeEvents(run, event), ...stopEvents(run, event)];
};
