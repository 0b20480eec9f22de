import type { MarkedCharacter } from '@fleet/knowledge-model';

/** Encodes JSON text so that it survives every transport, and decodes it. */
export interface MarkerCodec {
  /** @param json JSON text; the first two Zs of a marker are written as `Z\u005a`, so that no text of the caller is read as a marker. */
  encode(json: string): string;
  /** Also accepts text of clients that do not write `Z\u005a`; unknown tokens stay unchanged. */
  decode(text: string): string;
  /** Removes every token that would be read as a marker, including those that a removal creates. */
  dropMarkers(text: string): string;
}

const opening = 'ZZ';
const tokenOf = (code: string): string => `${opening}${code}${opening}`;

/** A character inside a character class. */
const literal = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** UTF-16 units that are converted at once: more would exceed the maximum number of arguments. */
const unitsAtOnce = 8192;

const textOf = (units: Uint16Array): string => {
  const parts: string[] = [];
  for (let at = 0; at < units.length; at += unitsAtOnce)
    parts.push(String.fromCharCode(...units.subarray(at, at + unitsAtOnce)));
  return parts.join('');
};

const endsWith = (kept: Uint16Array, length: number, token: string): boolean => {
  if (length < token.length) return false;
  for (let back = 1; back <= token.length; back += 1)
    if (kept[length - back] !== token.charCodeAt(token.length - back)) return false;
  return true;
};

/** One pass: a token is removed at its last character, so that text around it is joined before the next one is read. */
const withoutTokens = (text: string, tokens: readonly string[]): string => {
  const cleaned = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    cleaned[length] = text.charCodeAt(at);
    length += 1;
    const closed = text[at] === 'Z' ? tokens.find((token) => endsWith(cleaned, length, token)) : undefined;
    length -= closed?.length ?? 0;
  }
  return length === text.length ? text : textOf(cleaned.subarray(0, length));
};

/** Builds the codec of knowledge/transport.yaml, `markers`. */
export const markerCodec = (markers: readonly MarkedCharacter[]): MarkerCodec => {
  const tokens = new RegExp(`ZZ(?:${markers.map(({ code }) => code).join('|')})ZZ`, 'g');
  const marked = new RegExp(`[${markers.map(({ character }) => literal(character)).join('')}]`, 'g');
  const tokenByCharacter = new Map(markers.map(({ code, character }) => [character, tokenOf(code)]));
  const characters = new Map(markers.map(({ code, character }) => [tokenOf(code), character]));
  const dropMarkers = (text: string): string =>
    text.includes(opening) ? withoutTokens(text, [...characters.keys()]) : text;
  return {
    encode: (json) =>
      json.replaceAll(opening, 'Z\\u005a').replace(marked, (character) => tokenByCharacter.get(character) ?? character),
    decode: (text) => text.replace(tokens, (token) => characters.get(token) ?? token),
    dropMarkers,
  };
};
