// The times of the loop, all in milliseconds. None of them bounds work: they say when something is checked or reported again.

/** When the sweeper looks after a session whose next step was just made due: a wake-up that was lost costs so long, one that was not costs nothing. */
export const stepDueMs = 30_000;

/** When the sweeper looks after a session whose program runs. Its end is usually seen at once without it; this is for ends that nobody saw. */
export const runningDueMs = 15_000;

/** A run for which the backend has no room is tried again after this by the sweeper; by its executor as soon as another one ends. */
export const noRoomDueMs = 5_000;

/** A launch that was not let through is looked at again after this by the sweeper, earlier by its executor. Longer than for want of room: thousands may wait. */
export const gateDueMs = 15_000;

/** When the next attempt starts whose cause may need time to pass: a full disk, a second loss. */
export const laterRetryMs = 30_000;

/** A decision that waits for a language model is tried again after this: as long as a target in trouble is left alone at first. */
export const modelDueMs = 30_000;

/** A wait that is shorter than this is not told to the user. */
export const tellAfterMs = 5_000;

/** A reason for waiting that changes is reported again after this at the earliest, so that one that comes and goes does not fill the events. */
export const tellAgainMs = 60_000;

/** A cancel that takes longer than this is told to the user and to the administrator, once. */
export const slowCancelMs = 60_000;

/** How often a long step asks whether its session is still where it was when the step began. */
export const wantedMs = 1_000;
