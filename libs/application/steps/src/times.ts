// The times of the loop, all in milliseconds. None of them limits the work: they say when something is checked or reported again.

/** When the sweeper checks a session whose next step was just made due: a lost wake-up is delayed by this time. */
export const stepDueMs = 30_000;

/** When the sweeper checks a session whose program runs. Its end is usually detected at once; this is for missed ends. */
export const runningDueMs = 15_000;

/** When the sweeper retries a run for which the backend had no room; its executor retries as soon as another one ends. */
export const noRoomDueMs = 5_000;

/**
 * When the sweeper checks a launch again that has to wait; its executor may do it earlier. Longer than `noRoomDueMs`, because thousands may
 * wait.
 */
export const gateDueMs = 15_000;

/** When the next attempt starts if its cause may be temporary: a full disk, a second loss. */
export const laterRetryMs = 30_000;

/** When a decision that waits for a language model is retried: the first pause of a target in trouble. */
export const modelDueMs = 30_000;

/** Shorter waits are not reported to the user. */
export const tellAfterMs = 5_000;

/** Minimum time between two reports of changing reasons for waiting, so that a fluctuating reason does not fill the events. */
export const tellAgainMs = 60_000;

/** A cancellation that takes longer than this is reported to the user and the administrator, once. */
export const slowCancelMs = 60_000;

/** How often a long step checks whether its session still has the position at which the step began. */
export const wantedMs = 1_000;
