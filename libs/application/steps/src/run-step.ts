import { isPassing } from '@fleet/contracts/faults';
import type { StepResult } from '@fleet/contracts/queues';
import { stepOf } from '@fleet/contracts/runs';
import { isEnded, type CycleRecord, type Session, type SessionHead } from '@fleet/contracts/sessions';
import { untraced, type OpenSpan, type Transition } from '@fleet/ports';
import { progressOf } from '@fleet/session-report';
import { countEnd } from './count-end';
import { giveUp } from './give-up';
import type { Move, SessionStep, StepOfSession } from './session-step';
import type { StepPorts } from './step-ports';
import { stepDueMs } from './times';

const stale: StepResult = { outcome: 'stale' };
/** The guidance changed meanwhile: the record did not advance, and this step must be repeated. */
const advised = 'advised';

/**
 * One step of the loop: loads the record, checks whether the step is due, does its work, advances the record, wakes the next step. The
 * process may die between any two of these: until the record is advanced the step is repeated, from then on the outbox wakes the next one.
 * @throws errors of the work. Those that a retry cannot fix are counted, and end the session after repeated wake-ups.
 */
export const runStep = async (ports: StepPorts, step: SessionStep, due: StepOfSession): Promise<StepResult> => {
  const startedAt = performance.now();
  let outcome: StepResult['outcome'] | 'failed' = 'failed';
  try {
    const result = await stepTaken(ports, step, due);
    outcome = result.outcome;
    return result;
  } finally {
    const kind = { step: step.job };
    ports.metrics?.count('phenix_fleet_steps_total', { ...kind, outcome });
    ports.metrics?.observe('phenix_fleet_step_seconds', kind, (performance.now() - startedAt) / 1000);
  }
};

const stepTaken = async (ports: StepPorts, step: SessionStep, due: StepOfSession): Promise<StepResult> => {
  const take = async (): Promise<StepResult> => {
    for (;;) {
      const result = await takeStep(ports, step, due);
      if (result !== advised) return result;
    }
  };
  try {
    return await (ports.mutex === undefined ? take() : ports.mutex.take(due.sessionId, take));
  } catch (error) {
    if (!isPassing(error)) await giveUp(ports, step, due, error);
    throw error;
  }
};

const takeStep = async (
  ports: StepPorts,
  step: SessionStep,
  due: StepOfSession,
): Promise<StepResult | typeof advised> => {
  const session = await ports.records.load(due.sessionId);
  if (session?.version !== due.sessionVersion || stepOf(session)?.job !== step.job) return stale;
  const { tracing = untraced } = ports;
  const { id: sessionId, cycle, attempt, request } = session;
  const start = { name: `step.${step.job}`, facts: { sessionId, cycle, attempt } } as const;
  return tracing.during(start, request.traceparent, (span) => takeDue(ports, step, session, span));
};

const takeDue = async (
  ports: StepPorts,
  step: SessionStep,
  session: Session,
  span: OpenSpan,
): Promise<StepResult | typeof advised> => {
  const result = await work(ports, step, session);
  span.note({ outcome: result === advised ? advised : result.outcome });
  return result;
};

const work = async (ports: StepPorts, step: SessionStep, session: Session): Promise<StepResult | typeof advised> => {
  const next = await step.work(session);
  if (next === 'stale') return stale;
  if ('to' in next) return moveOn(ports, session, next, step);
  await ports.schedule.postpone(session.id, session.version, next.lookAgainInMs, false);
  return { outcome: 'waiting' };
};

const moveOn = async (
  ports: StepPorts,
  session: Session,
  next: Move,
  step: SessionStep,
): Promise<StepResult | typeof advised> => {
  const { outcome = 'advanced', afterwards, dueInMs = stepDueMs, waiting, ...move } = next;
  const { request } = session;
  const cycles = cyclesAfter(session, move.cycleRecord);
  const progress = progressOf({ request, cycles, ...(waiting !== undefined && { waiting }) });
  const result = await ports.records.advance({ ...fenceOf(session, step), dueInMs, ...move, progress });
  if (!result.applied) return result.reason === 'advised' ? advised : stale;
  if ('ended' in move.to && ports.metrics !== undefined) countEnd(ports.metrics, cycles, move.to.ended);
  await wakeNext(ports, result.head, move);
  await afterwards?.();
  return { outcome };
};

/** Fences the transition by everything that it depends on. */
const fenceOf = (
  { id, version, guidance }: Session,
  { followsGuidance }: SessionStep,
): Pick<Transition, 'sessionId' | 'fromVersion' | 'guidance'> => {
  const fence = { sessionId: id, fromVersion: version };
  return followsGuidance === true ? { ...fence, guidance: guidance?.revision ?? 1 } : fence;
};

const wakeNext = async ({ waker }: StepPorts, head: SessionHead, { wakeNow }: Move): Promise<void> => {
  if (!isEnded(head.status) && wakeNow !== false) await waker.wake(head);
};

const cyclesAfter = ({ cycles }: Session, record: CycleRecord | undefined): Session['cycles'] =>
  record === undefined ? cycles : [...cycles.filter(({ cycle }) => cycle !== record.cycle), record];
