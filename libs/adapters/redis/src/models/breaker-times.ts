/** Consecutive failures until a target is suspended. */
export const troublesUntilRest = 2;
/** Milliseconds: the first suspension, and the longest one. */
export const firstRestMs = 30_000;
export const longestRestMs = 300_000;
