import { atomicNumber } from '@fleet/knowledge-model';
import type { AdviceWords } from './compile-words';
import type { Span } from './spans';
import type { ValueContext } from './value-context';

/** Lighter atoms have no anomalous signal to phase with: "H atoms". */
const lightest = atomicNumber('P');

/** The chemical symbol of a word. */
export const elementOf = (word: string, { knowledge }: AdviceWords): string | undefined => {
  const known = Object.hasOwn(knowledge.elements, word) ? knowledge.elements[word] : undefined;
  if (known !== undefined) return known;
  // Two lower-case letters may be any word: "as", "in", "no".
  return word.length <= 2 && atomicNumber(word) >= lightest ? word[0]?.toUpperCase().concat(word.slice(1)) : undefined;
};

/** Short words that are written as chemical symbols: `Se`, not `as`, and not "As" at the beginning of a sentence. */
export const isWrittenAsSymbol = (written: string, isFirst: boolean): boolean =>
  /^[A-Z][a-z]?$/.test(written) && !(isFirst && /^(?:As|At|In|No|I)$/.test(written));

const listBefore = /(?<![a-z])([a-z]{1,14})(?: ?[,&/+] ?|,? (?:and|or) )$/;
const listBehind = /^(?: ?[,&/+] ?|,? (?:and|or) )(?!i )([a-z]{1,14})(?![a-z])/;

/** "Hg, Pt and Au derivatives": the list around one of several elements; undefined for one that stands alone. */
export const elementsAround = (
  { sentence: { words: written, plain }, words }: ValueContext,
  span: Span,
): Span | undefined => {
  const isElement = (start: number, name: string): boolean =>
    elementOf(name, words) !== undefined &&
    (name.length > 2 || isWrittenAsSymbol(written.slice(start, start + name.length), start === 0));
  let { start, end } = span;
  for (
    let match = listBefore.exec(plain.slice(0, start));
    match !== null;
    match = listBefore.exec(plain.slice(0, start))
  ) {
    if (!isElement(match.index, match[1] ?? '')) break;
    start = match.index;
  }
  for (let match = listBehind.exec(plain.slice(end)); match !== null; match = listBehind.exec(plain.slice(end))) {
    const [text, name = ''] = match;
    if (!isElement(end + text.length - name.length, name)) break;
    end += text.length;
  }
  return start < span.start || end > span.end ? { start, end } : undefined;
};
