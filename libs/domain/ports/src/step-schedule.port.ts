import type { SessionHead } from '@fleet/contracts/sessions';

export const STEP_SCHEDULE = Symbol('StepSchedule');

/**
 * Pending steps: wake-ups that are not in their queue yet (the outbox), deadlines, and wake-ups whose step failed. Each transition of
 * `SessionRecords` writes the first two; sweepers read them. Each method is atomic, and may throw a transient `Fault` when the store cannot
 * be reached. A session whose record cannot be read is omitted.
 */
export interface StepSchedule {
  /**
   * Sessions whose wake-up was written at least `olderThanMs` ago and never acknowledged, the longest-waiting first.
   * @param claimMs lease, so that several sweepers get different sessions; 0: they are only read
   */
  unacknowledged(olderThanMs: number, limit: number, claimMs?: number): Promise<readonly SessionHead[]>;
  /** Confirms that the wake-up of this version is in its queue. No effect if the session has moved. */
  acknowledge(id: string, version: number): Promise<void>;
  /** Sessions past their deadline, the oldest deadline first; `claimMs` as for `unacknowledged`. */
  overdue(limit: number, claimMs?: number): Promise<readonly SessionHead[]>;
  /** Postpones the deadline; with `wakeAgain` it also counts one more wake-up, which changes the job id. Fenced by version. */
  postpone(id: string, version: number, dueInMs: number, wakeAgain: boolean): Promise<SessionHead | undefined>;
  /**
   * Counts a permanent failure of this version's step. Returns how many wake-ups in a row have failed: each counts once, and a wake-up
   * without failure resets the count. 0 if the session has moved or ended.
   */
  countFailure(id: string, version: number): Promise<number>;
}
