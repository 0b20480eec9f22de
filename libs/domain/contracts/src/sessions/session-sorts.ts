/** Sort keys of session lists. */
const sessionSorts = [
  'created',
  'ended',
  'title',
  'sample',
  'proposal',
  'beamline',
  'submitter',
  'status',
  'outcome',
  'spaceGroup',
  'resolution',
  'rFree',
  'mapCc',
] as const;
export type SessionSort = (typeof sessionSorts)[number];
/** Ascending, or descending with "-" before it; sessions without the value come last. */
export type SessionOrder = SessionSort | `-${SessionSort}`;
export const sessionOrders: readonly SessionOrder[] = sessionSorts.flatMap((sort) => [sort, `-${sort}`] as const);
