/** Milliseconds that an inquiry lasts behind the last look for its answer. */
export const waitedMs = 5_000;
/** Milliseconds that an answer may be fetched. */
export const answeredMs = 30_000;
/** Milliseconds in which the same question is not paid for again. */
export const repliedMs = 3_600_000;
