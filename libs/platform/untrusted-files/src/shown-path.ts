/** Characters that move the cursor, end the line or change the writing direction, and the quote and the backslash. */
const misleading = /[\p{C}\p{Zl}\p{Zp}"\\]/gu;

const escaped = (character: string): string =>
  character === '"' || character === '\\' ? `\\${character}` : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** A path for a sentence: quoted and escaped if it contains misleading characters. */
export const shownPath = (path: string): string =>
  path.search(misleading) < 0 ? path : `"${path.replaceAll(misleading, escaped)}"`;
