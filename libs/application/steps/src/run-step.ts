import { isEnded, isPassing, stepOf, type CycleRecord, type Session, type StepResult } from '@fleet/contracts';
import { progressOf } from '@fleet/session-report';
import { giveUp } from './give-up';
import type { Move, SessionStep, StepOfSession } from './session-step';
import type { StepPorts } from './step-ports';
import { stepDueMs } from './times';

const stale: StepResult = { outcome: 'stale' };

/**
 * One step of the loop: load the record, see whether the step is due, do its work, advance the record, wake whoever is next, keep the
 * session's files. Between any two of these the process may die: until the record is advanced the step is done again, from then on the
 * outbox wakes the next one, and files that were not written are written by the next step, of whichever worker.
 * @throws whatever the work throws. What another try cannot mend is counted, and ends the session when waking it again does not help.
 */
export const runStep = async (ports: StepPorts, step: SessionStep, due: StepOfSession): Promise<StepResult> => {
  const take = (): Promise<StepResult> => takeStep(ports, step, due);
  try {
    return await (ports.turns === undefined ? take() : ports.turns.take(due.sessionId, take));
  } catch (error) {
    if (!isPassing(error) && (await giveUp(ports, step, due, error))) await ports.keeper.keep(due.sessionId);
    throw error;
  }
};

const takeStep = async (ports: StepPorts, step: SessionStep, due: StepOfSession): Promise<StepResult> => {
  const session = await ports.records.load(due.sessionId);
  // A repeated step may find that the record ended but its files were not written.
  if (session !== undefined && isEnded(session.status)) await ports.keeper.keep(session.id);
  if (session?.version !== due.sessionVersion || stepOf(session)?.job !== step.job) {
    step.notDue?.(due.sessionId);
    return stale;
  }
  const next = await step.work(session);
  if (next === 'stale') return stale;
  if ('to' in next) return moveOn(ports, session, next);
  await ports.schedule.postpone(session.id, session.version, next.lookAgainInMs, false);
  return { outcome: 'waiting' };
};

const moveOn = async (ports: StepPorts, session: Session, next: Move): Promise<StepResult> => {
  const { outcome = 'advanced', afterwards, dueInMs = stepDueMs, ...move } = next;
  const fence = { sessionId: session.id, fromVersion: session.version };
  const progress = progressOf({ ...session, cycles: cyclesAfter(session, move.cycleRecord) });
  const result = await ports.records.advance({ ...fence, dueInMs, ...move, progress });
  if (!result.applied) return stale;
  const { head } = result;
  const ended = isEnded(head.status);
  if (!ended && move.wakeNow !== false) await ports.wake(head);
  // Whatever a session could not be rebuilt without: its end, and each cycle that is complete.
  if (ended || move.cycleRecord?.result !== undefined) await ports.keeper.keep(head.id);
  await afterwards?.();
  return { outcome };
};

const cyclesAfter = ({ cycles }: Session, record: CycleRecord | undefined): Session['cycles'] =>
  record === undefined ? cycles : [...cycles.filter(({ cycle }) => cycle !== record.cycle), record];
