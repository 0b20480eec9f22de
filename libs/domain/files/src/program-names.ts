/** Each program once, without `phenix.`. */
export const programNames = (names: readonly string[]): string =>
  [...new Set(names)].map((name) => name.replace(/^phenix\./, '')).join(', ');
