/**
 * A place in a list by time, of sessions or of batches: milliseconds and an id. The order of these texts is that of time, and whoever merges lists
 * makes the cursors of the whole.
 */
export const timeCursor = ({ createdAt, id }: { readonly createdAt: string; readonly id: string }): string =>
  `${String(Date.parse(createdAt)).padStart(15, '0')}:${id}`;
