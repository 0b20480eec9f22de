/** Limits for drawing without freezing the browser; above them a sentence says so, and the files can be downloaded. */
export const limits = {
  /** Atoms of a model. */
  atoms: 100_000,
  /** Points of a map: about 340 along each axis. A map of map coefficients takes two and a half times that as it is made. */
  points: 40_000_000,
  /** Bytes of a file. */
  bytes: 200_000_000,
} as const;
