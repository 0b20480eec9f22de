/** The good, acceptable and poor limits of a metric. */
interface Limits {
  readonly good: number;
  readonly acceptable: number;
  readonly poor: number;
}

/** Decimals of an interpolated limit: more than any metric shows. */
const exactness = 10_000;

const between = (below: number, above: number, share: number): number =>
  Math.round((below + share * (above - below)) * exactness) / exactness;

/**
 * The limits at a resolution in Å, linear between two rows and constant beyond the ends, so that they are continuous; without a resolution
 * the last row, which is the least strict. Undefined without rows.
 */
export const bandAt = (
  bands: readonly (Limits & { readonly at?: number })[],
  resolution: number | undefined,
): Limits | undefined => {
  const last = bands.at(-1);
  if (resolution === undefined) return last;
  const above = bands.findIndex(({ at }) => at !== undefined && resolution < at);
  const [lower, upper] = [bands[above - 1], bands[above]];
  if (upper === undefined) return last;
  if (lower?.at === undefined || upper.at === undefined) return upper;
  const share = (resolution - lower.at) / (upper.at - lower.at);
  return {
    good: between(lower.good, upper.good, share),
    acceptable: between(lower.acceptable, upper.acceptable, share),
    poor: between(lower.poor, upper.poor, share),
  };
};
