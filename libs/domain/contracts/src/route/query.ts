import { integer, text, usual, type Schema } from '../schema/schema';

/** Query parameters that several routes have. */

/** Name of a proposal or a beamline. */
export const nameOf = (what: string): Schema<string> =>
  text(what, { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$', 'x-allowed': 'letters, digits, ".", "_" and "-"' });

/** One line, like submitters and titles. */
export const lineOf = (what: string): Schema<string> =>
  text(what, { pattern: '^[^\\p{Cc}]{1,200}$', 'x-allowed': 'one line of text, at most 200 characters' });

/** Maximum number of entries in a response. */
export const pageLimit = (
  what: string,
  most: number,
  byDefault: number,
): Schema<number> & { readonly default: number } => usual(integer(what, { minimum: 1, maximum: most }), byDefault);

/** Cursor of a page. @param pattern form of this list's cursors */
export const cursorOf = (pattern: string): Schema<string> =>
  text('nextCursor of the previous page', { pattern, 'x-allowed': 'a nextCursor of an earlier answer' });
