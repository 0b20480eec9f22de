/** Three reflections as Scalepack writes them: the smallest data set that is one. */
export const someReflections = [
  '    1',
  ' -987',
  '    61.400    61.400    96.500    90.000    90.000   120.000 p3221',
  '   1   0   3   134.5     4.5',
  '   1   0   4   224.1     7.2',
  '   1   0   5    94.7     3.3',
  '',
].join('\n');

export const aModel = [
  'CRYST1   61.400   61.400   96.500  90.00  90.00 120.00 P 32 2 1      6',
  'ATOM      1  N   ALA A   1      11.104   6.134  -6.504  1.00 10.00           N',
  'ATOM      2  CA  ALA A   1      11.639   6.071  -5.147  1.00 10.00           C',
  'END',
  '',
].join('\n');

/** A small map: eight points, each with another value. */
export const aMap = (): Buffer => {
  const bytes = Buffer.alloc(1024 + 4 * 8);
  [2, 2, 2, 2, 0, 0, 0, 2, 2, 2].forEach((value, index) => bytes.writeInt32LE(value, index * 4));
  [10, 10, 10, 90, 90, 90].forEach((value, index) => bytes.writeFloatLE(value, 40 + index * 4));
  [1, 2, 3].forEach((value, index) => bytes.writeInt32LE(value, 64 + index * 4));
  bytes.write('MAP ', 208, 'latin1');
  bytes.set([0x44, 0x44, 0, 0], 212);
  for (let point = 0; point < 8; point += 1) bytes.writeFloatLE(point - 3, 1024 + 4 * point);
  return bytes;
};
