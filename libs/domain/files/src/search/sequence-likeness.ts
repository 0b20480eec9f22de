/** BLOSUM62 (Henikoff and Henikoff, PNAS 89 (1992) 10915), in half bits; rows and columns in the order of `letters`. */
const letters = 'ARNDCQEGHILKMFPSTWYV';
const rows = [
  '4 -1 -2 -2 0 -1 -1 0 -2 -1 -1 -1 -1 -2 -1 1 0 -3 -2 0',
  '-1 5 0 -2 -3 1 0 -2 0 -3 -2 2 -1 -3 -2 -1 -1 -3 -2 -3',
  '-2 0 6 1 -3 0 0 0 1 -3 -3 0 -2 -3 -2 1 0 -4 -2 -3',
  '-2 -2 1 6 -3 0 2 -1 -1 -3 -4 -1 -3 -3 -1 0 -1 -4 -3 -3',
  '0 -3 -3 -3 9 -3 -4 -3 -3 -1 -1 -3 -1 -2 -3 -1 -1 -2 -2 -1',
  '-1 1 0 0 -3 5 2 -2 0 -3 -2 1 0 -3 -1 0 -1 -2 -1 -2',
  '-1 0 0 2 -4 2 5 -2 0 -3 -3 1 -2 -3 -1 0 -1 -3 -2 -2',
  '0 -2 0 -1 -3 -2 -2 6 -2 -4 -4 -2 -3 -3 -2 0 -2 -2 -3 -3',
  '-2 0 1 -1 -3 0 0 -2 8 -3 -3 -1 -2 -1 -2 -1 -2 -2 2 -3',
  '-1 -3 -3 -3 -1 -3 -3 -4 -3 4 2 -3 1 0 -3 -2 -1 -3 -1 3',
  '-1 -2 -3 -4 -1 -2 -3 -4 -3 2 4 -2 2 0 -3 -2 -1 -2 -1 1',
  '-1 2 0 -1 -3 1 1 -2 -1 -3 -2 5 -1 -3 -1 0 -1 -3 -2 -2',
  '-1 -1 -2 -3 -1 0 -2 -3 -2 1 2 -1 5 0 -2 -1 -1 -1 -1 1',
  '-2 -3 -3 -3 -2 -3 -3 -3 -1 0 0 -3 0 6 -4 -2 -2 1 3 -1',
  '-1 -2 -2 -1 -3 -1 -1 -2 -2 -3 -3 -1 -2 -4 7 -1 -1 -4 -3 -2',
  '1 -1 1 0 -1 0 0 0 -1 -2 -2 0 -1 -2 -1 4 1 -3 -2 -2',
  '0 -1 0 -1 -1 -1 -1 -2 -2 -1 -1 -1 -1 -2 -1 1 5 -2 -2 0',
  '-3 -3 -4 -4 -2 -2 -3 -2 -2 -3 -2 -3 -1 1 -4 -3 -2 11 2 -3',
  '-2 -2 -2 -3 -2 -1 -2 -3 2 -1 -1 -2 -1 3 -3 -2 -2 2 7 -1',
  '0 -3 -3 -3 -1 -2 -2 -3 -3 3 1 -2 1 -1 -2 -2 0 -3 -1 4',
].map((row) => row.split(' ').map(Number));
/** Half bits for each skipped residue. */
const gap = 8;
/** For a residue that is not one of the twenty. */
const unknownPair = -1;
/** Half bits that are unlikely by chance for chains of usual length; shorter ones must match at every second residue. */
const significant = 60;
const significantOfShort = 2;

/** A stretch of the second sequence that is similar to the first, from its first residue (0-based) to after its last. */
export interface Likeness {
  readonly from: number;
  readonly to: number;
}

const codesOf = (text: string): Int8Array => Int8Array.from(text, (letter) => letters.indexOf(letter));

const scoreOf = (one: number, other: number): number => rows[one]?.[other] ?? unknownPair;

const at = (values: Int32Array, index: number): number => values[index] ?? 0;

/** The best local alignment (Smith and Waterman), reduced to the stretch in the second sequence. */
const align = (
  one: Int8Array,
  other: Int8Array,
): { readonly score: number; readonly from: number; readonly to: number } => {
  const length = other.length + 1;
  let [scores, starts] = [new Int32Array(length), Int32Array.from({ length }, (_, index) => index)];
  let best = { score: 0, from: 0, to: 0 };
  for (const code of one) {
    const [next, begun] = [new Int32Array(length), new Int32Array(length)];
    other.forEach((residue, before) => {
      const here = before + 1;
      const paired = at(scores, before) + scoreOf(code, residue);
      const [skipped, left] = [at(scores, here) - gap, at(next, before) - gap];
      const score = Math.max(0, paired, skipped, left);
      next[here] = score;
      if (score === 0) begun[here] = here;
      else if (score === paired) begun[here] = at(starts, before);
      else begun[here] = score === skipped ? at(starts, here) : at(begun, before);
      if (score > best.score) best = { score, from: at(begun, here), to: here };
    });
    [scores, starts] = [next, begun];
  }
  return best;
};

const remembered = new Map<string, Likeness | undefined>();
const maxRemembered = 500;

/** The position in `other` of a chain similar to `one`; undefined without similarity. Both in one-letter code. */
export const likeness = (one: string, other: string): Likeness | undefined => {
  const key = `${one} ${other}`;
  if (remembered.has(key)) return remembered.get(key);
  if (remembered.size >= maxRemembered) remembered.clear();
  const { score, from, to } = align(codesOf(one), codesOf(other));
  const needed = Math.min(significant, significantOfShort * Math.min(one.length, other.length));
  const found = score > 0 && score >= needed ? { from, to } : undefined;
  remembered.set(key, found);
  return found;
};
