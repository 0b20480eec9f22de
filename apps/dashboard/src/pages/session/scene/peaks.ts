import type { UnitCell } from 'uglymol';
import { cellOf } from './cell';
import type { Density } from './density';
import type { Point } from './point';

/** A position where a difference map is far from zero, near the model. */
export interface Peak {
  readonly position: Point;
  /** Multiples of the map's rms; negative: a hole. */
  readonly height: number;
  /** The nearest atom, and its distance in Å. */
  readonly atom: number;
  readonly distance: number;
}

/** Minimum height of a listed peak, in rms. */
export const leastHeight = 4;
/** Maximum distance from the model in Å; a peak further away is near another copy of it. */
const farthest = 4;
const most = 25;
/** Maximum extrema processed, the highest first. */
const mostCandidates = 4000;

interface Candidate {
  readonly position: Point;
  readonly height: number;
}

const neighbours = [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z): Point => [x, y, z])));

/** The value at a grid point in any cell, minus the mean. */
const reader = ({ dimensions: [nx, ny, nz], values, mean }: Density): ((point: Point) => number) => {
  const wrapped = (at: number, length: number): number => (at + length) % length;
  return ([x, y, z]) => (values[(wrapped(x, nx) * ny + wrapped(y, ny)) * nz + wrapped(z, nz)] ?? 0) - mean;
};

/** Grid points that are higher or lower than all their neighbours. */
const extremaOf = (map: Density): readonly Candidate[] => {
  const { dimensions, values, mean, rms } = map;
  const [nx, ny, nz] = dimensions;
  // Every point of a flat map would be one.
  if (!(rms > 0)) return [];
  const read = reader(map);
  const found: Candidate[] = [];
  for (let at = 0; at < values.length; at += 1) {
    const value = (values[at] ?? 0) - mean;
    if (Math.abs(value) < leastHeight * rms) continue;
    const [x, y, z] = [Math.floor(at / (ny * nz)), Math.floor(at / nz) % ny, at % nz];
    const sign = Math.sign(value);
    if (neighbours.every(([i, j, k]) => sign * read([x + i, y + j, z + k]) <= sign * value))
      found.push({ position: [x / nx, y / ny, z / nz], height: value / rms });
  }
  return found.sort((one, other) => Math.abs(other.height) - Math.abs(one.height)).slice(0, mostCandidates);
};

/** An atom, its position, and its fractional coordinates. */
interface PlacedAtom {
  readonly number: number;
  readonly position: Point;
  readonly fraction: Point;
}

const placed = (atoms: Float32Array, cell: UnitCell): readonly PlacedAtom[] =>
  Array.from({ length: atoms.length / 3 }, (_, number) => {
    const [x = 0, y = 0, z = 0] = atoms.subarray(number * 3, number * 3 + 3);
    return { number, position: [x, y, z], fraction: cell.fractionalize([x, y, z]) };
  });

const toNearestCell = (step: number): number => step - Math.round(step);

/** The lattice copy of the position that is nearest to an atom, and that atom. */
const besideModel = (
  { position: [x, y, z], height }: Candidate,
  atoms: readonly PlacedAtom[],
  cell: UnitCell,
): Peak | undefined => {
  let best: Peak | undefined;
  for (const { number, position, fraction } of atoms) {
    const [i, j, k] = fraction;
    const step = cell.orthogonalize([toNearestCell(x - i), toNearestCell(y - j), toNearestCell(z - k)]);
    const distance = Math.hypot(...step);
    if (distance >= (best?.distance ?? farthest)) continue;
    best = {
      position: [position[0] + step[0], position[1] + step[1], position[2] + step[2]],
      height,
      atom: number,
      distance,
    };
  }
  return best;
};

/** The same position, seen from two copies of the model. */
const isKnown = (peaks: readonly Peak[], { position: [x, y, z] }: Peak): boolean =>
  peaks.some(({ position: [i, j, k] }) => Math.hypot(x - i, y - j, z - k) < 1);

/**
 * Peaks and holes of a difference map near the model, the highest first.
 * @param atoms x, y and z of each atom of the model, in Å
 */
export const peaksOf = (map: Density, atoms: Float32Array): readonly Peak[] => {
  const cell = cellOf(map);
  const model = placed(atoms, cell);
  const peaks: Peak[] = [];
  for (const candidate of extremaOf(map)) {
    if (peaks.length === most) break;
    const peak = besideModel(candidate, model, cell);
    if (peak !== undefined && !isKnown(peaks, peak)) peaks.push(peak);
  }
  return peaks;
};

/** Density threshold in rms above the mean, for a map without a model. */
const dense = 4;

/** The point with density nearest to the centre of all such points; the centre itself may be empty. */
export const middleOfMap = (map: Density): Point => {
  const { values, dimensions, mean, rms } = map;
  const [nx, ny, nz] = dimensions;
  const pointOf = (at: number): Point => [Math.floor(at / (ny * nz)), Math.floor(at / nz) % ny, at % nz];
  const sum = [0, 0, 0];
  const spots: number[] = [];
  values.forEach((value, at) => {
    if (value < mean + dense * rms) return;
    spots.push(at);
    pointOf(at).forEach((index, axis) => {
      sum[axis] = (sum[axis] ?? 0) + index;
    });
  });
  const distance = (at: number): number =>
    Math.hypot(...pointOf(at).map((index, axis) => index - (sum[axis] ?? 0) / spots.length));
  const [x, y, z] =
    spots.length === 0
      ? [nx / 2, ny / 2, nz / 2]
      : pointOf(spots.reduce((best, at) => (distance(at) < distance(best) ? at : best)));
  return cellOf(map).orthogonalize([x / nx, y / ny, z / nz]);
};
