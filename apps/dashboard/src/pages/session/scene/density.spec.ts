import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { densityOf, type Density } from './density';
import { mtzOf } from './mtz-for-tests';
import { operationOf, readMtz } from './mtz';

const refined = join(__dirname, '../../../../../../test/dashboard/nutlin/refine_002.mtz');
const labels = ['H', 'K', 'L', 'F', 'PHI'];

const valueAt = ({ dimensions: [, ny, nz], values }: Density, [x, y, z]: readonly [number, number, number]): number =>
  values[(x * ny + y) * nz + z] ?? Number.NaN;

describe('the density of map coefficients', () => {
  // The sum over what symmetry makes of the file, term by term, by gemmi 0.7.5 and numpy.
  it.each([
    ['2FOFCWT,PH2FOFCWT', 0.27215, [-0.11551, 0.00747, -0.31346, -0.22198, -0.44342]],
    ['FOFCWT,PHFOFCWT', 0.05549, [-0.04575, 0.00615, -0.01362, -0.09981, -0.08568]],
  ] as const)('of a real refinement, %s, is the sum', (pair, rms, expected) => {
    const { buffer, byteOffset, byteLength } = readFileSync(refined);
    const map = densityOf(readMtz(buffer.slice(byteOffset, byteOffset + byteLength)), pair);
    expect(map.dimensions).toEqual([90, 90, 125]);
    expect(map.rms).toBeCloseTo(rms, 5);
    const places = [
      [0, 0, 0],
      [1, 2, 3],
      [30, 17, 40],
      [85, 20, 77],
      [44, 61, 0],
    ] as const;
    places.forEach((gridPoint, at) => expect(valueAt(map, gridPoint)).toBeCloseTo(expected[at] ?? 0, 4));
  });

  it('is the sum over reflections, those without a value left out', () => {
    const rows = [
      [1, 0, 0, 10, 30],
      [0, 2, 1, 4, 200],
      [2, 1, 3, Number.NaN, 10],
    ];
    const cell = [10, 12, 15, 90, 90, 90];
    const map = densityOf(readMtz(mtzOf({ cell, symmetry: ['X,  Y,  Z'], labels, rows })), 'F,PHI');
    const [nx, ny, nz] = map.dimensions;
    const gridPoint = [1, 3, 2] as const;
    const [x, y, z] = [gridPoint[0] / nx, gridPoint[1] / ny, gridPoint[2] / nz];
    const wave = (h: number, k: number, l: number, amplitude: number, phase: number): number =>
      2 * amplitude * Math.cos((phase * Math.PI) / 180 - 2 * Math.PI * (h * x + k * y + l * z));
    expect(valueAt(map, gridPoint)).toBeCloseTo((wave(1, 0, 0, 10, 30) + wave(0, 2, 1, 4, 200)) / (10 * 12 * 15), 6);
    expect(map.mean).toBeCloseTo(0, 6);
  });

  it('rejects a map that is too fine, and names a missing column', () => {
    const huge = mtzOf({ cell: [900, 900, 900, 90, 90, 90], symmetry: [], labels, rows: [[300, 300, 300, 1, 0]] });
    expect(() => densityOf(readMtz(huge), 'F,PHI')).toThrow('729 million points. At most 40 million are drawn');
    expect(() => densityOf(readMtz(huge), 'FWT,PHWT')).toThrow('no column FWT');
  });

  it('reports that no reflection has a value', () => {
    const rows = [[1, 0, 0, Number.NaN, 30]];
    const empty = mtzOf({ cell: [10, 12, 15, 90, 90, 90], symmetry: ['X,  Y,  Z'], labels, rows });
    expect(() => densityOf(readMtz(empty), 'F,PHI')).toThrow('no reflection with values in F,PHI');
  });
});

describe('an MTZ file in the browser', () => {
  it('is refused where it is damaged', () => {
    const cell = [10, 10, 10, 90, 90, 90];
    const good = mtzOf({ cell, symmetry: [], labels, rows: [[1, 0, 0, 1, 0]] });
    expect(readMtz(good).count).toBe(1);
    const damaged = [
      new ArrayBuffer(10),
      good.slice(0, 300),
      mtzOf({ cell: [0, 10, 10, 90, 90, 90], symmetry: [], labels, rows: [] }),
      mtzOf({ cell: [10, 10, 10, 150, 150, 150], symmetry: [], labels, rows: [] }),
    ];
    for (const file of damaged) expect(() => readMtz(file)).toThrow('The MTZ file is damaged');
    new DataView(good).setInt32(4, -5, true);
    expect(() => readMtz(good)).toThrow('damaged');
  });

  it('has its symmetry in words', () => {
    expect(operationOf('SYMM X-Y,  -X,  Z+2/3')).toEqual({
      rotation: [
        [1, -1, 0],
        [-1, 0, 0],
        [0, 0, 1],
      ],
      translation: [0, 0, 2 / 3],
    });
    expect(() => operationOf('SYMM X,Y')).toThrow('damaged');
  });
});
