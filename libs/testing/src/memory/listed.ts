/** The oldest first. */
export const byAge = (
  one: { readonly id: string; readonly createdAt: string },
  other: { readonly id: string; readonly createdAt: string },
): number => (`${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? -1 : 1);
