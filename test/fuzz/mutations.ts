/** Random numbers that a seed decides (mulberry32), so that a run can be repeated. */
export class Dice {
  constructor(private state: number) {}

  /** From 0 up to `below`, without it. */
  below(below: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  }

  of<T>(choices: readonly T[]): T {
    const chosen = choices[this.below(choices.length)];
    if (chosen === undefined) throw new Error('nothing to choose from');
    return chosen;
  }
}

/** Pieces that readers stumble over: numbers at the edges, quotes, ends of lines, beginnings of formats. */
const odd = [
  ...[
    '0',
    '-1',
    '1e999',
    'NaN',
    '9'.repeat(100),
    '-0',
    '2147483648',
    '99999999999999999999',
    '0x10',
    '.',
    '+',
    '1.1.1',
  ],
  ...[
    "'",
    '"',
    "'a ",
    '"b ',
    ';',
    '#',
    '\n',
    '\r\n',
    '\r',
    '\t',
    ' ',
    '\0',
    '\u001b[2J',
    '\u00ff\u00fe',
    '{',
    '}',
    '[',
    ']',
    ':',
    '- ',
  ],
  ...[
    'loop_\n',
    'data_',
    'data_comp_',
    '_atom_site.',
    '_cell.length_a ',
    'ATOM  ',
    'HETATM',
    'CRYST1',
    'END',
    '>',
    'MTZ ',
    'MAP ',
  ],
  ...[
    '&a',
    '*a',
    '<<: ',
    '!!js/function ',
    '__proto__',
    'constructor',
    '"__proto__":{"a":1},',
    'null',
    'true',
    '\\u0000',
    '\ud800',
  ],
].map((text) => Buffer.from(text));

type Mutation = (bytes: Buffer, dice: Dice) => Buffer;

const cut = (bytes: Buffer, at: number, removed: number, added: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);

const lineAround = (bytes: Buffer, at: number): readonly [number, number] => {
  const end = bytes.indexOf(10, at);
  return [bytes.subarray(0, at).lastIndexOf(10) + 1, end < 0 ? bytes.length : end + 1];
};

const flip: Mutation = (bytes, dice) => {
  const changed = Buffer.from(bytes);
  for (let count = 1 + dice.below(8); count > 0; count -= 1) changed[dice.below(changed.length)] = dice.below(256);
  return changed;
};
const insertOdd: Mutation = (bytes, dice) =>
  cut(bytes, dice.below(bytes.length), dice.below(2) * dice.below(12), dice.of(odd));
const repeatOdd: Mutation = (bytes, dice) => {
  const piece = dice.of(odd);
  const times = 2 ** dice.below(17);
  return cut(
    bytes,
    dice.below(bytes.length),
    0,
    Buffer.from(piece.toString('latin1').repeat(Math.min(times, 300_000 / piece.length)), 'latin1'),
  );
};
const removePart: Mutation = (bytes, dice) =>
  cut(bytes, dice.below(bytes.length), 1 + dice.below(200), Buffer.alloc(0));
const truncate: Mutation = (bytes, dice) => bytes.subarray(0, 1 + dice.below(bytes.length));
const doublePart: Mutation = (bytes, dice) => {
  const at = dice.below(bytes.length);
  return cut(bytes, at, 0, bytes.subarray(at, at + 1 + dice.below(2_000)));
};
const repeatLine: Mutation = (bytes, dice) => {
  const [start, end] = lineAround(bytes, dice.below(bytes.length));
  const line = bytes.subarray(start, end);
  const times = Math.min(2 ** dice.below(16), Math.floor(1_000_000 / Math.max(1, line.length)));
  return cut(bytes, start, 0, Buffer.concat(Array.from({ length: times }, () => line)));
};
const setWord: Mutation = (bytes, dice) => {
  if (bytes.length < 8) return flip(bytes, dice);
  const changed = Buffer.from(bytes);
  const at = dice.below(Math.min(bytes.length - 4, dice.of([256, bytes.length]))) & ~3;
  changed.writeInt32LE(dice.of([0, -1, 1, 0x7fffffff, -0x80000000, 0x7f800000, dice.below(1 << 30)]), at);
  return changed;
};

const mutations: readonly Mutation[] = [
  flip,
  insertOdd,
  repeatOdd,
  removePart,
  truncate,
  doublePart,
  repeatLine,
  setWord,
];

/** Up to 4 MB of something that began as one of the samples. */
export const mutated = (sample: Buffer, dice: Dice): Buffer => {
  let bytes = sample;
  for (let count = 1 + dice.below(5); count > 0; count -= 1) {
    bytes = dice.of(mutations)(bytes, dice).subarray(0, 4_000_000);
    if (bytes.length === 0) bytes = Buffer.from(' ');
  }
  return bytes;
};
