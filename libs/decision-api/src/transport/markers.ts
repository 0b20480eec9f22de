import type { MarkedCharacter } from '@fleet/knowledge-model';

/** Turns JSON text into one that survives every way of transport, and back. */
export interface MarkerCodec {
  /** @param json JSON text; the two Zs that begin a marker are written as `Z\u005a`, so that no text of the caller can be one. */
  encode(json: string): string;
  /** Also takes text of clients that do not write `Z\u005a`; unknown tokens stay as they are. */
  decode(text: string): string;
  /** Drops every token that would be read as a marker, those that appear by the dropping too. */
  dropMarkers(text: string): string;
}

const opening = 'ZZ';
const tokenOf = (code: string): string => `${opening}${code}${opening}`;

/** A character inside a character class. */
const literal = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Builds the codec of knowledge/transport.yaml, `markers`. */
export const markerCodec = (markers: readonly MarkedCharacter[]): MarkerCodec => {
  const tokens = new RegExp(`ZZ(?:${markers.map(({ code }) => code).join('|')})ZZ`, 'g');
  const marked = new RegExp(`[${markers.map(({ character }) => literal(character)).join('')}]`, 'g');
  const tokenByCharacter = new Map(markers.map(({ code, character }) => [character, tokenOf(code)]));
  const characters = new Map(markers.map(({ code, character }) => [tokenOf(code), character]));
  const dropMarkers = (text: string): string => {
    if (!text.includes(opening)) return text;
    const left = text.replace(tokens, '');
    return left.length === text.length ? text : dropMarkers(left);
  };
  return {
    encode: (json) =>
      json.replaceAll(opening, 'Z\\u005a').replace(marked, (character) => tokenByCharacter.get(character) ?? character),
    decode: (text) => text.replace(tokens, (token) => characters.get(token) ?? token),
    dropMarkers,
  };
};
