import { UnitCell } from 'uglymol';
import type { Density } from './density';
import { statisticsOf } from './density';
import { middleOfMap, peaksOf } from './peaks';
import type { Point } from './point';

const cell = [20, 24, 30, 90, 105, 90];
const [a = 1, b = 1, c = 1, alpha = 90, beta = 90, gamma = 90] = cell;
const unitCell = new UnitCell(a, b, c, alpha, beta, gamma);
const dimensions = [20, 24, 30] as const;

/** A flat map with these heights at these points of its grid. */
const mapWith = (spots: readonly (readonly [Point, number])[]): Density => {
  const values = new Float32Array(dimensions[0] * dimensions[1] * dimensions[2]);
  for (let at = 0; at < values.length; at += 1) values[at] = Math.sin(at * 12.9898) * 0.1;
  for (const [[x, y, z], height] of spots) values[(x * dimensions[1] + y) * dimensions[2] + z] = height;
  return { cell, dimensions, values, unit: 'e/Å³', ...statisticsOf(values) };
};

const placeAt = ([x, y, z]: Point): [number, number, number] =>
  unitCell.orthogonalize([x / dimensions[0], y / dimensions[1], z / dimensions[2]]);

describe('the peaks of a difference map', () => {
  // Outside the cell that the map shows.
  const atom = placeAt([-20 + 5, 24 + 6, 60 + 7]);
  const atoms = new Float32Array([500, 500, 500, ...atom]);

  it('are near the model, in any cell, the highest first', () => {
    const map = mapWith([
      [[5, 6, 9], 3],
      [[5, 8, 7], -5],
      [[15, 18, 20], 9],
    ]);
    const peaks = peaksOf(map, atoms);
    expect(peaks.map(({ height }) => Math.sign(height))).toEqual([-1, 1]);
    const [hole, peak] = peaks;
    expect([hole?.atom, peak?.atom]).toEqual([1, 1]);
    const expected = placeAt([-20 + 5, 24 + 6, 60 + 9]);
    peak?.position.forEach((value, axis) => expect(value).toBeCloseTo(expected[axis] ?? 0, 3));
    expect(peak?.distance).toBeCloseTo(2, 3);
    expect(peak?.height).toBeCloseTo((3 - map.mean) / map.rms, 5);
  });

  it('are none where the map is flat', () => {
    expect(peaksOf(mapWith([]), atoms)).toEqual([]);
    expect(peaksOf(mapWith([[[5, 6, 9], 3]]), new Float32Array())).toEqual([]);
    const { dimensions: grid, ...flat } = mapWith([]);
    const values = new Float32Array(flat.values.length).fill(0.5);
    expect(peaksOf({ ...flat, dimensions: grid, values, ...statisticsOf(values) }, atoms)).toEqual([]);
  });
});

it.each([
  [
    'the point with density that is nearest to its middle',
    [
      [[5, 6, 9], 8],
      [[7, 8, 10], 8],
      [[15, 18, 20], 9],
      [[3, 3, 3], -12],
    ] as const,
    [7, 8, 10] as const,
  ],
  ['that of its cell where nothing is', [], [10, 12, 15] as const],
])('takes for the middle of a map %s', (_, spots, expected) => {
  const middle = middleOfMap(mapWith(spots));
  placeAt(expected).forEach((value, axis) => expect(middle[axis]).toBeCloseTo(value, 3));
});
