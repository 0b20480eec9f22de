import { integer, text, usual, type Schema } from '../schema/schema';

/** Query parameters that several routes have. */

/** Of a proposal or a beamline. */
export const nameOf = (what: string): Schema<string> =>
  text(what, { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$', 'x-allowed': 'letters, digits, ".", "_" and "-"' });

/** As submitters and titles are. */
export const lineOf = (what: string): Schema<string> =>
  text(what, { pattern: '^[^\\p{Cc}]{1,200}$', 'x-allowed': 'one line of text, at most 200 characters' });

/** How much an answer holds at most. */
export const pageLimit = (
  what: string,
  most: number,
  byDefault: number,
): Schema<number> & { readonly default: number } => usual(integer(what, { minimum: 1, maximum: most }), byDefault);

/** Where a page begins. @param pattern what the cursors of this list look like */
export const cursorOf = (pattern: string): Schema<string> =>
  text('nextCursor of the previous page', { pattern, 'x-allowed': 'a nextCursor of an earlier answer' });
