import { mtzBytes } from '@fleet/testing';
import { FileBench } from './fixtures/file-bench';

const bench = new FileBench();

afterAll(() => bench.remove());

type Row = readonly [h: number, k: number, l: number, flag: number];

const columns = [
  ['H', 'H'],
  ['K', 'H'],
  ['L', 'H'],
  ['FreeR_flag', 'I', 0, 19],
  ['F', 'F'],
  ['SIGF', 'Q'],
] as const;

/** An orthorhombic dataset of 1,800 reflections, flagged by `flag` of their number. */
const rows = (flag: (number: number) => number): readonly Row[] =>
  Array.from({ length: 1800 }, (_, number): Row => {
    return [1 + (number % 10), Math.floor(number / 10) % 12, Math.floor(number / 120), flag(number)];
  });

let files = 0;
const setOf = async (
  reflections: readonly Row[],
  { bigEndian = false, records = {} } = {},
): Promise<string | undefined> => {
  const symmetry = {
    SYMM1: 'SYMM X,  Y,  Z',
    SYMM2: 'SYMM X+1/2,-Y+1/2,-Z',
    SYMM3: 'SYMM -X,Y+1/2,-Z+1/2',
    SYMM4: 'SYMM -X+1/2,-Y,Z+1/2',
  };
  const bytes = mtzBytes({ columns, reflections: reflections.length, bigEndian, records: { ...symmetry, ...records } });
  reflections.forEach((row, place) =>
    row.forEach((value, column) => {
      const at = 80 + (place * columns.length + column) * 4;
      if (bigEndian) bytes.writeFloatBE(value, at);
      else bytes.writeFloatLE(value, at);
    }),
  );
  files += 1;
  return (await bench.factsOf(`set-${String(files)}.mtz`, bytes)).mtz?.freeSet;
};

const numbered = rows((number) => (number * 7) % 20);

describe('the free set of an MTZ file', () => {
  it('is the same whether free is 0 of 20 sets (CCP4) or 1 of two (PHENIX)', async () => {
    const set = await setOf(numbered);
    expect(set?.split(' ')).toHaveLength(48);
    expect(await setOf(numbered.map(([h, k, l, flag]) => [h, k, l, flag === 0 ? 1 : 0]))).toBe(set);
  });

  it('does not depend on order, asymmetric unit and byte order', async () => {
    const set = await setOf(numbered);
    expect(await setOf(numbered.toReversed())).toBe(set);
    expect(await setOf(numbered.map(([h, k, l, flag]) => [-h, k, -l, flag]))).toBe(set);
    expect(await setOf(numbered.map(([h, k, l, flag]) => [-h, -k, -l, flag]))).toBe(set);
    expect(await setOf(numbered, { bigEndian: true })).toBe(set);
  });

  it('differs if other reflections are free', async () => {
    const set = new Set((await setOf(numbered))?.split(' '));
    const other = (await setOf(rows((number) => (number * 7 + 1) % 20)))?.split(' ') ?? [];
    expect(other.filter((hash) => set.has(hash))).toHaveLength(0);
  });

  it('ignores reflections without a flag', async () => {
    const set = await setOf(numbered);
    expect(await setOf([...numbered, [30, 0, 0, Number.NaN]])).toBe(set);
  });

  it('is undefined if every value is different', async () => {
    expect(await setOf(rows((number) => number))).toBeUndefined();
  });
});
