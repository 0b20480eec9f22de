import { readMap } from './ccp4-map';

interface Header {
  readonly size?: readonly number[];
  readonly grid?: readonly number[];
  readonly origin?: readonly number[];
}

/** A map of 4 × 5 × 6 points, 2 Å apart, whose values count them; x fastest. */
const mapOf = ({ size = [4, 5, 6], grid = size, origin = [0, 0, 0] }: Header = {}): ArrayBuffer => {
  const file = new ArrayBuffer(1024 + 4 * 5 * 6 * 4);
  const [whole, real] = [new Int32Array(file), new Float32Array(file)];
  whole.set(size, 0);
  whole[3] = 2;
  whole.set(grid, 7);
  real.set([8, 10, 12, 90, 90, 90], 10);
  whole.set([1, 2, 3], 16);
  real.set(origin, 49);
  whole[52] = 0x2050414d;
  for (let at = 0; at < 120; at += 1) real[256 + at] = at;
  return file;
};

describe('a map of an electron microscope', () => {
  it('is read with its values in their places, which have no unit', () => {
    const { values, dimensions, cell, unit } = readMap(mapOf());
    expect(unit).toBe('');
    expect([dimensions, cell]).toEqual([
      [4, 5, 6],
      [8, 10, 12, 90, 90, 90],
    ]);
    // x 1, y 2, z 3: z fastest here
    expect(values[(1 * 5 + 2) * 6 + 3]).toBe((3 * 5 + 2) * 4 + 1);
  });

  it('is positioned by its origin in Å', () => {
    const { values } = readMap(mapOf({ origin: [2, -4, 0] }));
    expect(values[(2 * 5 + 0) * 6 + 3]).toBe((3 * 5 + 2) * 4 + 1);
  });

  it('is refused where it is too large or damaged', () => {
    expect(() => readMap(mapOf({ grid: [500, 500, 500] }))).toThrow('125 million points');
    expect(() => readMap(mapOf({ size: [400, 500, 600] }))).toThrow('120 million points');
    expect(() => readMap(mapOf().slice(0, 1400))).toThrow('The map file is damaged');
    expect(() => readMap(new ArrayBuffer(8))).toThrow('The map file is damaged');
  });
});
