/** Characters of one row as its manifest has it; a longer one is rejected, and the next is read. */
export const longestRow = 65_536;
/** Bytes of one manifest. */
export const largestManifest = 64 * 1024 * 1024;
/** Values in one row, lists and objects counted: what is nested without end, or names the same again and again, is no row. */
export const maxValues = 5_000;
