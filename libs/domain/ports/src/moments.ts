/** @param ms since the epoch */
export const isoOf = (ms: number): string => new Date(ms).toISOString();
/** The day of a moment (UTC), as `2026-11-21`. */
export const dayOf = (ms: number): string => isoOf(ms).slice(0, 10);
