import type { StepPayload } from '@fleet/contracts/queues';
import type { Step } from '@fleet/contracts/runs';
import type { Session, WaitingDecision } from '@fleet/contracts/sessions';
import type { Transition } from '@fleet/ports';

/** Where a session goes, and what is reported of it. The fence, its id and its version, is not the step's to choose. */
export interface Move extends Pick<Transition, 'to' | 'cycleRecord' | 'reading' | 'events' | 'wakeNow'> {
  /** When the sweeper looks after the session if nothing happens; absent: `stepDueMs`. */
  readonly dueInMs?: number;
  /** The record says more now, but the program waits as before; absent: the session has advanced. */
  readonly outcome?: 'waiting';
  /** The session stays where it is until its decision can be made; absent: it does not wait. */
  readonly waiting?: WaitingDecision;
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
  /** What it does follows from the guidance: where that has changed meanwhile, the move is not made and the work is done again. */
  readonly followsGuidance?: true;
  /**
   * Does the work of a session that needs this step. It may be done twice, at any time, in any process: its effects are named after
   * the work, and the record is moved by the answer alone. What it throws leaves the record as it was.
   */
  work(session: Session): Promise<Next>;
}

/** Which session, and the version that the step was made for. */
export type StepOfSession = Pick<StepPayload, 'sessionId' | 'sessionVersion'>;
