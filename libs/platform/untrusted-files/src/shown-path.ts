/** What moves the cursor, ends the line or turns the direction of writing; and the quote and the backslash that show it. */
const misleading = /[\p{C}\p{Zl}\p{Zp}"\\]/gu;

const escaped = (character: string): string =>
  character === '"' || character === '\\' ? `\\${character}` : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** A path as a sentence shows it: in quotes and escaped where it holds what would mislead a reader. */
export const shownPath = (path: string): string =>
  path.search(misleading) < 0 ? path : `"${path.replaceAll(misleading, escaped)}"`;
