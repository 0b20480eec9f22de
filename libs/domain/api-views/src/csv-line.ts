export type Cell = string | number | undefined;

/** Prefixes that make a spreadsheet execute a text as a formula. */
const formula = /^[\s]*[=+\-@\t\r]/;

/**
 * A cell as in RFC 4180. Submitters choose titles and file names: a text that a spreadsheet would execute as a formula is prefixed with an
 * apostrophe, which makes it plain text.
 */
const cellText = (cell: Cell): string => {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",;\r\n\t']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A line of a table. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;
