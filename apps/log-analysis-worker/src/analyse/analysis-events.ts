import type { CycleRecord, CycleResult, Session, SessionEvent, SessionStop } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { isSimulated, metricEvents, programTime, type MakeEvent } from '@fleet/session-report';

export interface AnalysedRun {
  readonly session: Session;
  readonly cycle: CycleRecord;
  readonly result: CycleResult;
  readonly warnings: readonly string[];
  readonly stop: SessionStop | undefined;
}

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
  if (stop === undefined) return [event('stop_decision', 'The session continues.', { stop: false })];
  const { reason, detail } = stop;
  return [event('stop_decision', `STOP: ${detail}`, { stop: true, reason })];
};

/** The events of an analysed run, in reading order; the end of the session follows them. */
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
