/** Lifetime of an inquiry after the last poll for its answer, in milliseconds. */
export const waitedMs = 5_000;
/** Lifetime of an answer, in milliseconds. */
export const answeredMs = 30_000;
/** Milliseconds in which the same question is answered from stored replies. */
export const repliedMs = 3_600_000;
