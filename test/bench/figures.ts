import { writeFileSync } from 'node:fs';

/** One figure of `npm run bench`. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** For example `>= 0.6`. */
  readonly goal: string;
  readonly met: boolean;
}

const compare = {
  '>=': (value: number, limit: number) => value >= limit,
  '<=': (value: number, limit: number) => value <= limit,
};

/** A figure held against its goal. */
export const figure = (name: string, value: number, relation: '>=' | '<=', limit: number): Figure => ({
  name,
  value: Number(value.toPrecision(3)),
  goal: `${relation} ${String(limit)}`,
  met: compare[relation](value, limit),
});

/** Hands the figures to the script that started the benchmark, or prints them. */
export const deliver = (figures: readonly Figure[]): void => {
  const out = process.env['FLEET_BENCH_OUT'];
  const text = `${JSON.stringify(figures, null, 2)}\n`;
  if (out === undefined) process.stdout.write(text);
  else writeFileSync(out, text);
};

/** The value below which this part of the measured ones lies. */
export const quantile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(part * (values.length - 1))] ?? Number.NaN;

/** Seconds that the work takes. */
export const secondsOf = async (work: () => Promise<void>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
};

/** Median of measured values. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
};
