export type Cell = string | number | undefined;

/** Beginnings by which a spreadsheet takes a text for a formula, and would carry it out. */
const formula = /^[\s]*[=+\-@\t\r]/;

/**
 * A cell as RFC 4180 has it. Titles and file names are chosen by submitters: a text that a spreadsheet would take for a formula is preceded by
 * an apostrophe, which it shows as text.
 */
const cellText = (cell: Cell): string => {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",;\r\n\t']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A line of a table. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;
