import type { MapFacts, SessionFile } from '@fleet/contracts/sessions';

/** Half maps show the same: correlation of the means of their blocks. Synthetic halves at 3 Å have 0.99, other maps of one box at most 0.75. */
const sameContents = 0.95;
/** Noise of half maps is independent: 0 within 0.1 for 128 points. A half and the full map have 0.71, two maps of the same images more. */
const independentNoise = 0.4;
/** Noise of half maps is equally strong; that of the full map is lower by √2. */
const equalNoise = 1.3;

type Fingerprint = NonNullable<MapFacts['fingerprint']>;

const numbersOf = (text: string): readonly number[] =>
  (text.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16) - 128);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const correlation = (one: string, other: string): number => {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  const [meanA, meanB] = [mean(a), mean(b)];
  const product = (of: readonly number[], by: readonly number[], ofMean: number, byMean: number): number =>
    of.reduce((sum, value, at) => sum + (value - ofMean) * ((by[at] ?? byMean) - byMean), 0);
  return product(a, b, meanA, meanB) / Math.sqrt(product(a, a, meanA, meanA) * product(b, b, meanB, meanB));
};

const areHalves = (one: Fingerprint, other: Fingerprint): boolean => {
  const ratio = one.noiseRms / other.noiseRms;
  return (
    correlation(one.means, other.means) >= sameContents &&
    Math.abs(correlation(one.noise, other.noise)) < independentNoise &&
    Math.max(ratio, 1 / ratio) <= equalNoise
  );
};

/**
 * Whether the values of two maps of one grid and cell are those of independent half maps: they show the same, and their noise is independent
 * and equally strong. Undefined where the values cannot tell: nobody has read them, or the noise around the particle was masked away.
 */
export const valuesAreHalves = (one: SessionFile, other: SessionFile): boolean | undefined => {
  const [first, second] = [one.facts.map?.fingerprint, other.facts.map?.fingerprint];
  if (first === undefined || second === undefined) return undefined;
  if (first.means.length !== second.means.length || first.noise.length !== second.noise.length) return undefined;
  return areHalves(first, second);
};
