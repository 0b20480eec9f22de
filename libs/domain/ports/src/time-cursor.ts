/**
 * A cursor in a list of sessions or batches that is sorted by time: milliseconds and an id. Cursors sort as strings in the order of time, so
 * merged lists can use them too.
 */
export const timeCursor = ({ createdAt, id }: { readonly createdAt: string; readonly id: string }): string =>
  `${String(Date.parse(createdAt)).padStart(15, '0')}:${id}`;
