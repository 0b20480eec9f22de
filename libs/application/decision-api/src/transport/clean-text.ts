import type { FieldLimit, TransportKnowledge } from '@fleet/knowledge-model';
import type { MarkerCodec } from './markers';

const range = (first: number, last: number): string => `${String.fromCharCode(first)}-${String.fromCharCode(last)}`;

/** C0 without tab, newline and carriage return, and DEL. */
const control = new RegExp(
  `[${range(0x00, 0x08)}${range(0x0b, 0x0c)}${range(0x0e, 0x1f)}${String.fromCharCode(0x7f)}]`,
  'g',
);

/** Removes half of a surrogate pair at the end. */
const withoutHalf = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text);

const cut = (text: string, length: number, mark: string): string =>
  text.length <= length ? text : `${withoutHalf(text.slice(0, length - mark.length))}${mark}`;

/** Truncates long single-quoted strings (such as a sequence), keeping the beginning. */
const shortenQuotes = (text: string, longest: number, mark: string): string =>
  text.length <= longest || !text.includes("'")
    ? text
    : text.replaceAll(/'[^'\n]*'/g, (quoted) =>
        quoted.length - 2 <= longest ? quoted : `'${withoutHalf(quoted.slice(1, longest + 1))}${mark}'`,
      );

const cleanOnce = (text: string, { quotes }: FieldLimit, mark: string, codec: MarkerCodec): string => {
  const plain = codec.dropMarkers(text);
  const short = quotes === undefined ? plain : shortenQuotes(plain, quotes, mark);
  return short.replaceAll('\t', ' ').replaceAll('\r', '').replace(control, '');
};

/** Cleans one text in the order of knowledge/transport.yaml; idempotent. */
export const cleanText = (
  text: string,
  limit: FieldLimit,
  { truncation_mark }: Pick<TransportKnowledge, 'truncation_mark'>,
  codec: MarkerCodec,
): string => {
  // Removing a control character may join a marker: "ZZC\u0001RZZ".
  const clean = codec.dropMarkers(cleanOnce(text, limit, truncation_mark, codec));
  return cut(clean, limit.max_length, truncation_mark);
};
