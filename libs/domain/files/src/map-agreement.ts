import type { MapFacts, SessionFile } from '@fleet/contracts/sessions';

/** Minimum correlation of block means of two half maps. Synthetic halves at 3 Å have 0.99, different maps of one box at most 0.75. */
const sameContents = 0.95;
/** Maximum correlation of noise: independent noise of 128 points has 0 ± 0.1, a half and the full map 0.71, two maps of the same images more. */
const independentNoise = 0.4;
/** Maximum ratio of noise levels: half maps have 1, a half and the full map √2. */
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
 * Whether two maps of one grid and cell are independent half maps by their values: same density, independent noise of the same level.
 * Undefined if the values do not decide: they were not inspected, or the noise around the particle was masked.
 */
export const valuesAreHalves = (one: SessionFile, other: SessionFile): boolean | undefined => {
  const [first, second] = [one.facts.map?.fingerprint, other.facts.map?.fingerprint];
  if (first === undefined || second === undefined) return undefined;
  if (first.means.length !== second.means.length || first.noise.length !== second.noise.length) return undefined;
  return areHalves(first, second);
};
