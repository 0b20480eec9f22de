/** What a symmetry operation does to x, y and z, its translation left out; row by row. */
export type Rotation = readonly [Row, Row, Row];
type Row = readonly [number, number, number];

const identity: Rotation = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** `-X+Y` of an operation. */
const rowOf = (text: string): Row => {
  const row: [number, number, number] = [0, 0, 0];
  for (const [, sign, axis = 'x'] of text.matchAll(/([+-]?)\s*([xyz])/gi)) {
    row['xyz'.indexOf(axis.toLowerCase())] = sign === '-' ? -1 : 1;
  }
  return row;
};

/** Of the header's `SYMM X,Y,Z` records, each once; at least the identity. */
export const rotationsOf = (records: readonly string[]): readonly Rotation[] => {
  const rotations = records.map((record): Rotation => {
    const [x = '', y = '', z = ''] = record.replace(/^\s*symm\s/i, '').split(',');
    return [rowOf(x), rowOf(y), rowOf(z)];
  });
  return [...new Map([identity, ...rotations].map((rotation) => [String(rotation), rotation])).values()];
};

/** Larger than any index that is measured. */
const base = 4096;

/** One number for a reflection and all that symmetry and Friedel's law make of it: the largest of theirs. */
export const asymmetricIndex = ([h, k, l]: Row, rotations: readonly Rotation[]): number => {
  let largest = 0;
  for (const [x, y, z] of rotations) {
    const first = h * x[0] + k * y[0] + l * z[0];
    const second = h * x[1] + k * y[1] + l * z[1];
    const third = h * x[2] + k * y[2] + l * z[2];
    const index = Math.abs((first * base + second) * base + third);
    if (index > largest) largest = index;
  }
  return largest;
};
