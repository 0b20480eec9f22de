import type { SessionHead } from '@fleet/contracts/sessions';

export const STEP_SCHEDULE = Symbol('StepSchedule');

/**
 * Which steps are owed: wake-ups that are not in their queue yet (the outbox), deadlines, and wake-ups whose step failed. A move of
 * `SessionRecords` writes the first two; sweepers read them. Each method is atomic, and may throw a transient `Fault` when the store
 * cannot be reached. A session whose record cannot be read is left out.
 */
export interface StepSchedule {
  /**
   * Sessions whose wake-up was written at least `olderThanMs` ago and never acknowledged, those that wait longest first.
   * @param claimMs nobody receives them again for so long, so that of many sweepers each has other ones; 0: they are only read
   */
  unacknowledged(olderThanMs: number, limit: number, claimMs?: number): Promise<readonly SessionHead[]>;
  /** The wake-up of this version is in its queue. A no-op when the session has moved on. */
  acknowledge(id: string, version: number): Promise<void>;
  /** Sessions past their deadline, the oldest deadline first; `claimMs` as for `unacknowledged`. */
  overdue(limit: number, claimMs?: number): Promise<readonly SessionHead[]>;
  /** Pushes the deadline; with `wakeAgain` it also counts one more wake-up, which changes the job id. Fenced by version. */
  postpone(id: string, version: number, dueInMs: number, wakeAgain: boolean): Promise<SessionHead | undefined>;
  /**
   * Takes note that the step of this version failed for good. Returns how many wake-ups in a row it has failed: the same one counts
   * once, and one that did not fail in between begins again. 0 when the session has moved on or ended.
   */
  countFailure(id: string, version: number): Promise<number>;
}
