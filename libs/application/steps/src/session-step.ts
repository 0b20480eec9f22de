import type { StepPayload } from '@fleet/contracts/queues';
import type { Step } from '@fleet/contracts/runs';
import type { Session, WaitingDecision } from '@fleet/contracts/sessions';
import type { Transition } from '@fleet/ports';

/** The next position of a session with its events. The fence, id and version, is added by `runStep`. */
export interface Move extends Pick<Transition, 'to' | 'cycleRecord' | 'reading' | 'events' | 'wakeNow'> {
  /** When the sweeper checks the session if nothing happens; absent: `stepDueMs`. */
  readonly dueInMs?: number;
  /** The record changes, but the program waits as before; absent: the session has advanced. */
  readonly outcome?: 'waiting';
  /** The session keeps its position until its decision can be made; absent: it does not wait. */
  readonly waiting?: WaitingDecision;
  /** Called after the record was advanced and the next step was woken. A crash before it must be harmless. */
  readonly afterwards?: () => Promise<void>;
}

/** The result of a step. */
export type Next =
  | Move
  /** The record stays unchanged; the sweeper checks again after this many milliseconds. */
  | { readonly lookAgainInMs: number }
  /** The session was moved meanwhile, and the result is discarded. */
  | 'stale';

/** The differences between the steps. */
export interface SessionStep {
  readonly job: Step['job'];
  /** The work depends on the guidance: if that has changed meanwhile, the record does not advance and the work is repeated. */
  readonly followsGuidance?: true;
  /**
   * Does the work of a session that needs this step. It may be repeated, at any time, in any process: its effects are named after the work,
   * and only the returned value advances the record. An error leaves the record unchanged.
   */
  work(session: Session): Promise<Next>;
}

/** A session, and the version for which the step was created. */
export type StepOfSession = Pick<StepPayload, 'sessionId' | 'sessionVersion'>;
