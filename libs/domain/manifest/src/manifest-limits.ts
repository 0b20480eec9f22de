/** Characters of one row in its manifest; a longer one is rejected, and the next is read. */
export const longestRow = 65_536;
/** Bytes of one manifest. */
export const largestManifest = 64 * 1024 * 1024;
/** Maximum number of values in one row, including lists and objects: rejects deep nesting and repeated references. */
export const maxValues = 5_000;
