/** What stands for a session or a batch in a list: the order of these texts is that of time. */
export const listedName = ({ id, createdAt }: { readonly id: string; readonly createdAt: string }): string =>
  `${String(Date.parse(createdAt)).padStart(15, '0')}:${id}`;

/** The oldest first. */
export const byAge = (
  one: { readonly id: string; readonly createdAt: string },
  other: { readonly id: string; readonly createdAt: string },
): number => (`${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? -1 : 1);
