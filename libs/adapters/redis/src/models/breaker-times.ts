/** Troubles in a row after which a target is left alone. */
export const troublesUntilRest = 2;
/** Milliseconds: the first rest, and the longest one. */
export const firstRestMs = 30_000;
export const longestRestMs = 300_000;
