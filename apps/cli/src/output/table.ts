import { plainLine } from '@fleet/session-report';

/** Rows as text columns, each as wide as its widest cell; the last one is not padded. */
export const tableLines = (rows: readonly (readonly string[])[]): readonly string[] => {
  const cells = rows.map((row) => row.map(plainLine));
  const widths: number[] = [];
  for (const row of cells) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};
