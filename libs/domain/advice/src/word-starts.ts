import { patternUnits, type PatternUnit } from '@fleet/log-parsing';

/**
 * Preselects patterns that may match a sentence by the first three characters of their words: most patterns match nothing in most sentences,
 * and a match attempt costs more than this check.
 */

/** Number of characters that are compared. */
const LOOKED_AT = 3;
/** Characters of sentences, for expanding character classes. */
const alphabet = Array.from({ length: 95 }, (_, code) => String.fromCharCode(code + 32)).filter(
  (character) => character.toLowerCase() === character,
);

/** Possible beginnings, each of at most `LOOKED_AT` characters; undefined: anything. */
type Beginnings = ReadonlySet<string> | undefined;

const nothingYet: Beginnings = new Set(['']);

const union = (one: Beginnings, other: Beginnings): Beginnings => one && other && new Set([...one, ...other]);

const isWhole = (text: string): boolean => text.length >= LOOKED_AT;

const followedBy = (before: Beginnings, next: Beginnings): Beginnings => {
  if (before === undefined || [...before].every(isWhole)) return before;
  return (
    next &&
    new Set(
      [...before].flatMap((text) =>
        isWhole(text) ? [text] : [...next].map((more) => (text + more).slice(0, LOOKED_AT)),
      ),
    )
  );
};

const charactersOf = ({ kind, text }: PatternUnit): Beginnings => {
  if (kind === 'char') return new Set([text]);
  if (kind === 'any' || text.startsWith('[^') || /\\[sSWDk]|[^ -~]/.test(text)) return undefined;
  const one = new RegExp(`^${text}$`);
  return new Set(alphabet.filter((character) => one.test(character)));
};

const mayBeMissing = (quantifier: string): boolean => /^(?:[*?]|\{0?,|\{0)/.test(quantifier);
const mayRepeat = (quantifier: string): boolean => /^[*+{]/.test(quantifier);

const withQuantifier = (once: Beginnings, quantifier: string): Beginnings => {
  const repeated = mayRepeat(quantifier) ? followedBy(once, union(nothingYet, once)) : once;
  return mayBeMissing(quantifier) ? union(nothingYet, repeated) : repeated;
};

const isAround = (text: string): boolean => /^\(\?<?[=!]/.test(text);

/** The beginnings of the elements from `at` to the end of their group, and the position after it. */
const group = (units: readonly PatternUnit[], from: number): { readonly begins: Beginnings; readonly end: number } => {
  let ways: Beginnings = new Set();
  let begins: Beginnings = nothingYet;
  let at = from;
  for (let unit = units[at]; unit !== undefined && unit.kind !== 'close'; unit = units[at]) {
    at += 1;
    if (unit.kind === 'alternative') {
      ways = union(ways, begins);
      begins = nothingYet;
    } else if (unit.kind === 'open') {
      const inner = group(units, at);
      at = inner.end + 1;
      const { quantifier = '' } = units[inner.end] ?? {};
      if (!isAround(unit.text)) begins = followedBy(begins, withQuantifier(inner.begins, quantifier));
    } else if (unit.kind !== 'assertion' && !/^\\[bB]$/.test(unit.text)) {
      begins = followedBy(begins, withQuantifier(charactersOf(unit), unit.quantifier));
    }
  }
  return { begins: union(ways, begins), end: at };
};

/** The beginnings of a pattern's matches: three characters each, or a whole shorter match; undefined for anything. */
export const beginningsOf = (source: string): Beginnings => {
  const { begins } = group(patternUnits(source), 0);
  return begins?.has('') === true ? undefined : begins;
};

/** Whether each alternative of a pattern begins like its source. */
const isOneWay = (source: string): boolean => {
  let depth = 0;
  return patternUnits(source).every(({ kind }) => {
    if (kind === 'open') depth += 1;
    if (kind === 'close') depth -= 1;
    return kind !== 'alternative' || depth > 0;
  });
};

const isLetter = (code: number): boolean => code >= 97 && code <= 122;

/** By pattern number: 1 if it may match a lower-case text, 0 if it cannot. */
export type Candidates = Readonly<Uint8Array>;

/** Hash of up to three characters; a collision only adds a candidate. */
const keyOf = (first: number, second = 0, third = 0): number =>
  ((first & 0x3ff) << 20) | ((second & 0x3ff) << 10) | (third & 0x3ff);

/** Pattern numbers by the beginning of their matches. */
interface Places {
  readonly byBeginning: ReadonlyMap<number, readonly number[]>;
  readonly anywhere: readonly number[];
}

const placesOf = (sources: readonly string[], startOfWord: string): Places => {
  const byBeginning = new Map<number, number[]>();
  const anywhere: number[] = [];
  const add = (text: string, index: number): void => {
    const [first = 0, second, third] = Array.from(text, (character) => character.charCodeAt(0));
    const key = keyOf(first, second, third);
    const known = byBeginning.get(key);
    if (known === undefined) byBeginning.set(key, [index]);
    else known.push(index);
  };
  for (const [index, source] of sources.entries()) {
    const isAtWord = ['\\b', '^', startOfWord].some((start) => source.startsWith(start)) && isOneWay(source);
    const begins = isAtWord ? beginningsOf(source) : undefined;
    if (begins === undefined) anywhere.push(index);
    for (const text of begins ?? []) add(text, index);
  }
  return { byBeginning, anywhere };
};

/** Patterns by the beginnings of their matches; computed at the first text. */
export class WordStarts {
  private places: Places | undefined;

  /** @param sources of patterns; those that do not begin with `startOfWord`, `\b` or `^` are always candidates */
  constructor(
    private readonly sources: readonly string[],
    private readonly startOfWord: string,
  ) {}

  /** By pattern number, whether it may match a lower-case text. */
  in(text: string): Candidates {
    this.places ??= placesOf(this.sources, this.startOfWord);
    const { byBeginning, anywhere } = this.places;
    const may = new Uint8Array(this.sources.length);
    mark(may, anywhere);
    let before = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (!isLetter(code) || !isLetter(before)) {
        const second = text.charCodeAt(at + 1);
        mark(may, byBeginning.get(keyOf(code)));
        mark(may, byBeginning.get(keyOf(code, second)));
        mark(may, byBeginning.get(keyOf(code, second, text.charCodeAt(at + 2))));
      }
      before = code;
    }
    return may;
  }
}

const mark = (may: Uint8Array, indices: readonly number[] = none): void => {
  for (const index of indices) may[index] = 1;
};

const none: readonly number[] = [];
