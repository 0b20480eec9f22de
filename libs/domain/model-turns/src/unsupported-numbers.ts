import type { UnsupportedNumber } from '@fleet/contracts/results';

/** `1,234`, `0,24` with a decimal comma, `0.237`, `.24`, `2e-3`; digits of other scripts as a whole, because no number of ours uses them. */
const written =
  /[^\P{Nd}0-9]\p{Nd}*|(?:(?<!,)\d+,\d{1,2}(?!,?\d)|(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d+)(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d{1,3})?/gu;
const decimalComma = /^(\d+),(?=\d{1,2}(?!\d))/;
/** A minus sign, not a dash between two numbers. */
const minus = /(?:^|[\s(=:,~≈])[-−]$/u;
const letter = /[\p{L}_]$/u;

interface WrittenNumber extends UnsupportedNumber {
  readonly value: number;
  /** Number of decimals. */
  readonly places: number;
  /** Number of significant digits. */
  readonly digits: number;
  readonly isPercent: boolean;
}

const numberAt = (all: string, text: string, at: number): WrittenNumber => {
  const plain = text.replace(decimalComma, '$1.').replaceAll(',', '').toLowerCase();
  const [mantissa = '', exponent = '0'] = plain.split('e');
  const before = all.slice(Math.max(0, at - 2), at);
  return {
    text,
    at,
    value: Number(plain) * (minus.test(before) ? -1 : 1),
    places: (mantissa.split('.')[1] ?? '').length - Number(exponent),
    digits: mantissa.replace('.', '').replace(/^0+/, '').length,
    isPercent: /^\s?%/.test(all.slice(at + text.length)),
  };
};

/** Blanks out names that contain digits. */
const without = (text: string, names: readonly string[]): string =>
  names.filter((name) => /\d/.test(name)).reduce((left, name) => left.replaceAll(name, ' '.repeat(name.length)), text);

/** A digit after a letter is part of a name (`P21`, `c003`), unless it has a decimal point or comma. */
const isName = (all: string, { text, at }: WrittenNumber): boolean =>
  !text.includes('.') && !decimalComma.test(text) && letter.test(all.slice(Math.max(0, at - 2), at));

/** Number of smaller values in the sorted numbers. */
const smaller = (sorted: ArrayLike<number>, than: number): number => {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? Infinity) < than) from = middle + 1;
    else to = middle;
  }
  return from;
};

const hasBetween = (sorted: ArrayLike<number>, least: number, most: number): boolean =>
  (sorted[smaller(sorted, least)] ?? Infinity) <= most;

const isKnown = (known: ArrayLike<number>, { value, places, digits, isPercent }: WrittenNumber): boolean => {
  if (!Number.isFinite(value)) return false;
  // A single digit would agree with nearly everything.
  const rounding = digits < 2 ? 0 : 0.5 * 10 ** -places;
  const off = rounding + 1e-9 * Math.max(1, Math.abs(value));
  const [least, most] = [value - off, value + off];
  if (hasBetween(known, least, most)) return true;
  // No fraction exceeds 1, so a percentage never stands for a resolution or a count.
  return isPercent && hasBetween(known, Math.max(-1, least / 100), Math.min(1, most / 100));
};

/**
 * The numbers of a text that match none of the known ones: exactly, or rounded to the written decimals with at least two digits; a percentage
 * also matches its fraction. Number words are not detected.
 * @param known sorted, the smallest first
 * @param names of metrics that contain digits
 */
export const unsupportedNumbers = (
  text: string,
  known: ArrayLike<number>,
  names: readonly string[],
): readonly UnsupportedNumber[] => {
  const all = without(text, names);
  return [...all.matchAll(written)]
    .map((match) => numberAt(all, match[0], match.index))
    .filter((number) => !isName(all, number) && !isKnown(known, number))
    .map(({ text: found, at }) => ({ text: found, at }));
};
