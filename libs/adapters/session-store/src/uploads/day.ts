/** Milliseconds in which the uploads of a proposal are counted together. */
export const dayMs = 24 * 60 * 60 * 1000;
