import { sessionOrders, sessionOutcomes, sessionStatuses, type SessionSort } from '@fleet/contracts/sessions';

/** Filters that are always shown. */
const firstFilters = ['text', 'status', 'outcome', 'proposal'] as const;
/** Filters of the panel behind "More filters", in its order. */
export const moreFilters = [
  'beamline',
  'submitter',
  'ligand',
  'spaceGroup',
  'cell',
  'cellTolerance',
  'minResolution',
  'maxResolution',
  'minRFree',
  'maxRFree',
  'minCc',
  'maxCc',
  'program',
  'failure',
  'since',
  'until',
] as const;
export type MoreFilter = (typeof moreFilters)[number];

const names = [...firstFilters, ...moreFilters, 'batch', 'sort', 'cursor'] as const;
type Name = (typeof names)[number];

/** What a list shows, as its address says it: parameters of `GET /v1/sessions`. */
export type ListSearch = { readonly [N in Name]?: string };

const choices: Readonly<Record<string, readonly string[]>> = {
  status: sessionStatuses,
  outcome: sessionOutcomes,
  sort: sessionOrders,
};

const isAllowed = (name: Name, value: string): boolean => choices[name]?.includes(value) ?? true;

/** Reads an address; what is not a filter of ours, or has a value that none of them has, is left out of it. */
export const readListSearch = (raw: Readonly<Record<string, unknown>>): ListSearch =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = raw[name];
      return typeof value === 'string' && value !== '' && isAllowed(name, value) ? [[name, value]] : [];
    }),
  );

/** Another filter or order begins at the first page again. */
export const changedSearch = (search: ListSearch, change: ListSearch): ListSearch =>
  readListSearch({ ...search, ...change, cursor: '' });

/** The list sorted by a column: ascending, then descending, then the newest first as usual. */
export const sortedSearch = (search: ListSearch, by: SessionSort): ListSearch => {
  const next = new Map<string | undefined, string>([
    [by, `-${by}`],
    [`-${by}`, ''],
  ]);
  return changedSearch(search, { sort: next.get(search.sort) ?? by });
};

/** What sessions have in common, without its outcome: what is counted. */
export const groupOf = (search: ListSearch): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (['proposal', 'beamline', 'batch', 'submitter'] as const).flatMap((name) =>
      search[name] === undefined ? [] : [[name, search[name]]],
    ),
  );

/** What the API is asked. */
export const listParameters = (search: ListSearch): Readonly<Record<string, string>> => ({ ...search, limit: '50' });

export const isFiltered = (search: ListSearch): boolean =>
  names.some((name) => name !== 'sort' && name !== 'cursor' && search[name] !== undefined);

/** The query of an address as plain text in both directions: a proposal named 007 stays a text. */
export const parseQuery = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query.replace(/^\?/, '')));
export const queryOf = (search: Readonly<Record<string, unknown>>): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (typeof value === 'string') given.set(name, value);
  const query = given.toString();
  return query === '' ? '' : `?${query}`;
};
