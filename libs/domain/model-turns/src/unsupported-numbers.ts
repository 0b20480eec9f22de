import type { UnsupportedNumber } from '@fleet/contracts';

/** `1,234`, `0.237`, `.24`, `2e-3`; digits of other scripts, which no number of ours is written with, whole. */
const written = /[^\P{Nd}0-9]\p{Nd}*|(?:(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d+)(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d{1,3})?/gu;
/** A minus, and no dash between two numbers. */
const minus = /(?:^|[\s(=:,~≈])[-−]$/u;
const letter = /[\p{L}_]$/u;

interface WrittenNumber extends UnsupportedNumber {
  readonly value: number;
  /** Places behind the point. */
  readonly places: number;
  /** Digits that say something. */
  readonly digits: number;
  readonly isPercent: boolean;
}

const numberAt = (all: string, text: string, at: number): WrittenNumber => {
  const [mantissa = '', exponent = '0'] = text.replaceAll(',', '').toLowerCase().split('e');
  const before = all.slice(Math.max(0, at - 2), at);
  return {
    text,
    at,
    value: Number(text.replaceAll(',', '')) * (minus.test(before) ? -1 : 1),
    places: (mantissa.split('.')[1] ?? '').length - Number(exponent),
    digits: mantissa.replace('.', '').replace(/^0+/, '').length,
    isPercent: /^\s?%/.test(all.slice(at + text.length)),
  };
};

/** Names in which digits are no numbers: each is blanked out. */
const without = (text: string, names: readonly string[]): string =>
  names.filter((name) => /\d/.test(name)).reduce((left, name) => left.replaceAll(name, ' '.repeat(name.length)), text);

/** A digit behind a letter is part of a name (`P21`, `c003`), unless it has a point. */
const isName = (all: string, { text, at }: WrittenNumber): boolean =>
  !text.includes('.') && letter.test(all.slice(Math.max(0, at - 2), at));

const isSame = (known: number, value: number, { places, digits }: WrittenNumber): boolean => {
  if (!Number.isFinite(value)) return false;
  const nearly = 1e-9 * Math.max(1, Math.abs(value));
  // One digit alone would agree with nearly everything.
  const rounding = digits < 2 ? 0 : 0.5 * 10 ** -places;
  return Math.abs(known - value) <= rounding + nearly;
};

/**
 * The numbers of a text that are none of these: as they are, or rounded to as many places as are written, two digits at the least; a percentage
 * also for its fraction. Numbers in words are not seen.
 * @param names of metrics, in which digits are no numbers
 */
export const unsupportedNumbers = (
  text: string,
  known: ReadonlySet<number>,
  names: readonly string[],
): readonly UnsupportedNumber[] => {
  const all = without(text, names);
  const isKnown = (number: WrittenNumber): boolean =>
    [...known].some(
      (one) => isSame(one, number.value, number) || (number.isPercent && isSame(one * 100, number.value, number)),
    );
  return [...all.matchAll(written)]
    .map((match) => numberAt(all, match[0], match.index))
    .filter((number) => !isName(all, number) && !isKnown(number))
    .map(({ text: found, at }) => ({ text: found, at }));
};
