import {
  isEnded,
  stepOf,
  type CycleRecord,
  type Session,
  type SessionHead,
  type Step,
  type StepPayload,
  type StepResult,
} from '@fleet/contracts';
import type { SessionRecords, StepSchedule, Transition } from '@fleet/ports';
import { progressOf } from '@fleet/session-report';
import type { SessionKeeper } from './session-keeper';
import type { SessionTurns } from './session-turns';
import { stepDueMs } from './times';

export const STEP_PORTS = Symbol('StepPorts');

/** What every step works with. */
export interface StepPorts {
  readonly records: Pick<SessionRecords, 'load' | 'advance'>;
  readonly schedule: Pick<StepSchedule, 'postpone'>;
  readonly keeper: Pick<SessionKeeper, 'keep'>;
  /** Wakes whoever is next. Never throws for a queue that cannot be reached: the outbox has the wake-up. */
  readonly wake: (head: SessionHead) => Promise<void>;
  /** Present where steps of one session begin in more ways than by their job; they follow one another then. */
  readonly turns?: SessionTurns;
}

/** Where a session goes, and what is told of it. The fence, its id and its version, is not the step's to choose. */
export interface Move extends Pick<Transition, 'to' | 'cycleRecord' | 'events' | 'wakeNow'> {
  /** When the sweeper looks after the session if nothing happens; absent: `stepDueMs`. */
  readonly dueInMs?: number;
  /** The record says more now, but the program waits as before; absent: the session has advanced. */
  readonly outcome?: 'waiting';
  /** Done where the record was moved and whoever is next was woken. A crash before it has to be harmless. */
  readonly afterwards?: () => Promise<void>;
}

/** What happens next with a session. */
export type Next =
  | Move
  /** The record stays as it is; the sweeper looks again after so many milliseconds. */
  | { readonly lookAgainInMs: number }
  /** The session was moved while the work was done, and nobody wants its result. */
  | 'stale';

/** What differs between the steps. */
export interface SessionStep {
  readonly job: Step['job'];
  /**
   * Does the work of a session that needs this step. It may be done twice, at any time, in any process: its effects are named after
   * the work, and the record is moved by the answer alone. What it throws leaves the record as it was.
   */
  work(session: Session): Promise<Next>;
  /** Hears of a session that has moved on. */
  notDue?(sessionId: string): void;
}

/** Which session, and the version that the step was made for. */
export type StepOfSession = Pick<StepPayload, 'sessionId' | 'sessionVersion'>;

const stale: StepResult = { outcome: 'stale' };

/**
 * One step of the loop: load the record, see whether the step is due, do its work, advance the record, wake whoever is next, keep the
 * session's files. Between any two of these the process may die: until the record is advanced the step is done again, from then on the
 * outbox wakes the next one, and files that were not written are written by the next step, of whichever worker.
 */
export const runStep = (ports: StepPorts, step: SessionStep, due: StepOfSession): Promise<StepResult> => {
  const { turns } = ports;
  return turns === undefined ? takeStep(ports, step, due) : turns.take(due.sessionId, () => takeStep(ports, step, due));
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
