import { sceneTexts } from '../../../texts/scene';
import { complexOf, Fourier, goodLength, type Complex } from './fourier';
import { limits } from './limits';
import type { Coefficients, Operation } from './mtz';

type Dimensions = readonly [number, number, number];

/** Density at the points of a unit cell, z fastest. */
export interface Density {
  readonly cell: readonly number[];
  readonly dimensions: Dimensions;
  readonly values: Float32Array<ArrayBuffer>;
  readonly mean: number;
  readonly rms: number;
  /** Of the values; empty where it is anything, as in maps of a microscope. */
  readonly unit: 'e/Å³' | '';
}

/** Points along an axis for each index: a third of the resolution apart. */
const pointsPerIndex = 3;

type Index = readonly [number, number, number];

const turned = ([h, k, l]: Index, { rotation: [x, y, z] }: Operation): Index => [
  h * x[0] + k * y[0] + l * z[0],
  h * x[1] + k * y[1] + l * z[1],
  h * x[2] + k * y[2] + l * z[2],
];

interface Reflection {
  readonly index: Index;
  readonly amplitude: number;
  /** Radians. */
  readonly phase: number;
}

/** The reflections that have both an amplitude and a phase. */
function* reflectionsOf(coefficients: Coefficients, labels: string): Iterable<Reflection> {
  const columns = ['H', 'K', 'L', ...labels.split(',')].map((label) => coefficients.columnOf(label));
  for (let at = 0; at < coefficients.count; at += 1) {
    const row = columns.map((column) => coefficients.value(at, column));
    const [h = 0, k = 0, l = 0, amplitude = 0, degrees = 0] = row;
    const isMeasured = amplitude !== 0 && !Number.isNaN(amplitude + degrees);
    if (isMeasured && [h, k, l].every(Number.isInteger))
      yield { index: [h, k, l], amplitude, phase: (degrees * Math.PI) / 180 };
  }
}

/** Each reflection at each place where symmetry puts it. */
const eachSpot = (
  coefficients: Coefficients,
  labels: string,
  visit: (index: Index, amplitude: number, phase: number) => void,
): void => {
  for (const { index, amplitude, phase } of reflectionsOf(coefficients, labels)) {
    const [h, k, l] = index;
    for (const operation of coefficients.operations) {
      const [x, y, z] = operation.translation;
      visit(turned(index, operation), amplitude, phase - 2 * Math.PI * (h * x + k * y + l * z));
    }
  }
};

const dimensionsOf = (coefficients: Coefficients, labels: string): Dimensions => {
  const most: [number, number, number] = [0, 0, 0];
  eachSpot(coefficients, labels, (index) => {
    for (const axis of [0, 1, 2] as const) most[axis] = Math.max(most[axis], Math.abs(index[axis]));
  });
  if (most.every((index) => index === 0)) throw new Error(sceneTexts.noReflection(labels));
  const points = most.reduce((product, index) => product * Math.max(1, pointsPerIndex * index), 1);
  if (points > limits.points) throw new Error(sceneTexts.tooFine(points, limits.points));
  const [x, y, z] = most.map((index) => goodLength(pointsPerIndex * index + 1));
  return [x ?? 1, y ?? 1, z ?? 1];
};

/** Half of reciprocal space, l from 0 on; the other half is its conjugate. */
interface HalfSpace {
  readonly dimensions: Dimensions;
  readonly half: number;
  readonly re: Float32Array;
  readonly im: Float32Array;
}

/** A place that several reflections reach, centric ones for example, has their mean: phases in files are rounded. */
const halfSpaceOf = (coefficients: Coefficients, labels: string, dimensions: Dimensions): HalfSpace => {
  const [nx, ny, nz] = dimensions;
  const half = Math.floor(nz / 2) + 1;
  const points = nx * ny * half;
  const [re, im, times] = [new Float32Array(points), new Float32Array(points), new Uint16Array(points)];
  const put = ([h, k, l]: Index, real: number, imaginary: number): void => {
    if (l < 0) return;
    const at = (((h + nx) % nx) * ny + ((k + ny) % ny)) * half + l;
    re[at] = (re[at] ?? 0) + real;
    im[at] = (im[at] ?? 0) + imaginary;
    times[at] = (times[at] ?? 0) + 1;
  };
  eachSpot(coefficients, labels, ([h, k, l], amplitude, phase) => {
    const [real, imaginary] = [amplitude * Math.cos(phase), amplitude * Math.sin(phase)];
    put([h, k, l], real, imaginary);
    put([-h, -k, -l], real, -imaginary);
  });
  times.forEach((count, at) => {
    if (count < 2) return;
    re[at] = (re[at] ?? 0) / count;
    im[at] = (im[at] ?? 0) / count;
  });
  return { dimensions, half, re, im };
};

/** Values of a line, the step apart. @returns whether any is not zero */
const gather = (from: Float32Array, line: Float64Array, start: number, step: number): boolean => {
  let hasAny = false;
  for (let at = 0; at < line.length; at += 1) {
    const value = from[start + at * step] ?? 0;
    line[at] = value;
    hasAny ||= value !== 0;
  }
  return hasAny;
};

const scatter = (line: Float64Array, to: Float32Array, start: number, step: number): void =>
  line.forEach((value, at) => {
    to[start + at * step] = value;
  });

/** Transforms every line along one axis; lines that are empty stay so. */
const alongAxis = ({ re, im }: HalfSpace, starts: Iterable<number>, step: number, fourier: Fourier): void => {
  const line = complexOf(fourier.length);
  for (const start of starts) {
    const hasReal = gather(re, line.re, start, step);
    if (!gather(im, line.im, start, step) && !hasReal) continue;
    fourier.transform(line);
    scatter(line.re, re, start, step);
    scatter(line.im, im, start, step);
  }
};

function* startsOf(count: number, step: number, inner: number): Iterable<number> {
  for (let outer = 0; outer < count; outer += 1) for (let next = 0; next < inner; next += 1) yield outer * step + next;
}

/** A whole line of the last axis out of its half: the other one is its conjugate. */
const unfold = (half: Float32Array, line: Float64Array, sign: 1 | -1): void => {
  line.set(half);
  half.subarray(1).forEach((value, at) => {
    line[line.length - 1 - at] = sign * value;
  });
};

/** The last axis, after which everything is real. */
const toReal = ({ dimensions: [nx, ny, nz], half, re, im }: HalfSpace): Float32Array<ArrayBuffer> => {
  const values = new Float32Array(nx * ny * nz);
  const fourier = new Fourier(nz);
  const line: Complex = complexOf(nz);
  for (let row = 0; row < nx * ny; row += 1) {
    const [from, to] = [row * half, (row + 1) * half];
    unfold(re.subarray(from, to), line.re, 1);
    unfold(im.subarray(from, to), line.im, -1);
    fourier.transform(line);
    values.set(line.re, row * nz);
  }
  return values;
};

export const statisticsOf = (values: Float32Array): Pick<Density, 'mean' | 'rms'> => {
  let [sum, squares] = [0, 0];
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / values.length;
  return { mean, rms: Math.sqrt(Math.max(0, squares / values.length - mean * mean)) };
};

const volumeOf = ([a = 0, b = 0, c = 0, ...angles]: readonly number[]): number => {
  const [x = 0, y = 0, z = 0] = angles.map((angle) => Math.cos((angle * Math.PI) / 180));
  return a * b * c * Math.sqrt(1 - x * x - y * y - z * z + 2 * x * y * z);
};

/**
 * The map of a pair of columns, in electrons per Å³ where the amplitudes are on the absolute scale.
 * @param labels amplitude and phase, `FWT,PHWT`
 * @throws Error with a sentence where it would be larger than `limits` or the file has no such columns
 */
export const densityOf = (coefficients: Coefficients, labels: string): Density => {
  const { cell } = coefficients;
  const dimensions = dimensionsOf(coefficients, labels);
  const [nx, ny, nz] = dimensions;
  const space = halfSpaceOf(coefficients, labels, dimensions);
  const { half } = space;
  alongAxis(space, startsOf(1, 0, ny * half), ny * half, new Fourier(nx));
  alongAxis(space, startsOf(nx, ny * half, half), half, new Fourier(ny));
  const values = toReal({ ...space, dimensions: [nx, ny, nz] });
  const volume = volumeOf(cell);
  for (let at = 0; at < values.length; at += 1) values[at] = (values[at] ?? 0) / volume;
  return { cell, dimensions, values, unit: 'e/Å³', ...statisticsOf(values) };
};
