/** The number of values in each bin. */
export interface Histogram {
  /** Lower edges of the bins. */
  readonly begins: readonly number[];
  readonly counts: readonly number[];
  readonly step: number;
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

/** Readable bin widths. */
const steps = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5] as const;
const mostBins = 24;

/** Undefined: no values. */
export const histogram = (values: readonly number[]): Histogram | undefined => {
  const sorted = [...values].sort((one, other) => one - other);
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined) return undefined;
  const step = steps.find((width) => (most - least) / width < mostBins) ?? (most - least) / mostBins;
  // Half a thousandth of a bin: a value on an edge belongs to the bin that begins there, despite rounding.
  const binOf = (value: number): number => Math.floor(value / step + 0.0005);
  const first = binOf(least);
  const counts = new Array<number>(binOf(most) - first + 1).fill(0);
  for (const value of sorted) counts[binOf(value) - first] = (counts[binOf(value) - first] ?? 0) + 1;
  const begins = counts.map((_, at) => Number(((first + at) * step).toFixed(6)));
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? least;
  return { begins, counts, step, least, median: middle, most };
};
