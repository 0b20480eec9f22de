import type { AdviceKnowledge } from '@fleet/knowledge-model';
import { matchesOf } from './compile-words';

/** Energy in keV times wavelength in Å (CODATA 2018: h c / e). */
const keVÅ = 12.398_42;

/** A number in a text: `3`, `three`, `twice`; undefined for other words. */
export const countOf = (word: string, { numbers }: AdviceKnowledge): number | undefined =>
  /^\d+$/.test(word) ? Number(word) : Object.hasOwn(numbers, word) ? numbers[word] : undefined;

/** A decimal number with a point or a comma: `2.5`, `2,5`. */
export const decimalOf = (text: string): number => Number(text.trim().replace(',', '.'));

/** A fraction in a text: `0.25`, `.25`, `0,25`, `25 %`. */
export const fractionOf = (text: string): number => {
  const number = decimalOf(text.replace('%', ''));
  return text.includes('%') ? Number((number / 100).toPrecision(6)) : number;
};

/** The wavelength in Å of an energy in keV. */
export const wavelengthOf = (keV: number): number => Number((keVÅ / keV).toPrecision(5));

/** Separators between the numbers of a cell. Commas without blanks may be decimal ones. */
const cellSeparators = [/\s*[,;x×]\s+|\s+/, /\s*[,;]\s*/];
const cellWords =
  /\b(?:angstroms?|ångstr[oö]ms?|ang|degrees?|deg|alpha|beta|gamma|al|be|ga|and|a|b|c)\b|(?<=\d)a\b|[()[\]=:°å]/g;

/** Names of edges and angles before a number, in their order; "57.9 a" is Å. */
const axisNames: readonly string[] = ['a', 'b', 'c', 'al', 'be', 'ga'];
const axisName = /(?<name>al|be|ga|[bc]|a(?= ?=)|(?<!\d ?)a)(?:pha|ta|mma)?(?: ?[=:] ?| ?(?=\d))/g;
const greek: Readonly<Record<string, string>> = { α: 'alpha', β: 'beta', γ: 'gamma' };
/** "a=b=57.9": several names of one number. */
const sharedNumber = /((?:[a-z]{1,5} ?= ?){2,3})(\d[\d.,]*)/g;

/** Six numbers in the order of a cell, which the text may name in another one; undefined if it names only some of them in another one. */
const inOrder = (numbers: readonly string[], text: string): readonly string[] | undefined => {
  const ranks = matchesOf(axisName, text).map(({ groups }) => axisNames.indexOf(groups?.['name'] ?? ''));
  if (ranks.every((rank, index) => index === 0 || rank > (ranks[index - 1] ?? rank))) return numbers;
  const ordered = axisNames.flatMap((_, rank) => numbers[ranks.indexOf(rank)] ?? []);
  return ranks.length === numbers.length && ordered.length === numbers.length ? ordered : undefined;
};

/** With each name before a number of its own. */
const withOwnNumbers = (text: string): string =>
  text
    .replaceAll(/[αβγ]/g, (name) => greek[name] ?? name)
    .replaceAll(sharedNumber, (_, names: string, number: string) => names.replaceAll('=', `=${number} `));

/** The six numbers of a unit cell in any notation, separated by blanks: `57.9 57.9 150.1 90 90 90`; undefined for any other count. */
export const cellOf = (given: string): string | undefined => {
  const text = withOwnNumbers(given);
  const plain = text
    .replaceAll(cellWords, ' ')
    .replace(/[\s,;.]+$/, '')
    .trim()
    .replaceAll(/\s+(?=[,;])/g, '')
    .replaceAll(/\s+/g, ' ');
  const numbers = cellSeparators
    .map((separator) => plain.split(separator).filter((one) => one !== ''))
    .find((parts) => parts.length === 6 && parts.every((one) => /^\d+(?:[.,]\d+)?$/.test(one)));
  return numbers === undefined
    ? undefined
    : inOrder(numbers, text)
        ?.map((one) => one.replace(',', '.'))
        .join(' ');
};

const one = String.raw`\d{1,4}(?:[.,]\d{1,4})?(?: ?(?:å|°|a\b))?`;
/** Six numbers with or without blanks between them. */
const sixNumbers = new RegExp(
  String.raw`^[([]?${one}(?: ?[,;x×]? ${one}){5}[)\]]?(?!\.?\d)|^[([]?\d{1,4}(?:\.\d{1,4})?(?:,\d{1,4}(?:\.\d{1,4})?){5}[)\]]?(?!\.?\d)`,
  'i',
);

/** The six numbers at the beginning of a text; undefined without them. */
export const cellIn = (text: string): string | undefined => sixNumbers.exec(text)?.[0];
