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

/** URL parameters of a list, those of `GET /v1/sessions`. */
export type ListSearch = { readonly [N in Name]?: string };

const choices: Readonly<Record<string, readonly string[]>> = {
  status: sessionStatuses,
  outcome: sessionOutcomes,
  sort: sessionOrders,
};

const isAllowed = (name: Name, value: string): boolean => choices[name]?.includes(value) ?? true;

/** Reads the URL parameters; unknown filters and invalid values are dropped. */
export const readListSearch = (raw: Readonly<Record<string, unknown>>): ListSearch =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = raw[name];
      return typeof value === 'string' && value !== '' && isAllowed(name, value) ? [[name, value]] : [];
    }),
  );

/** A changed filter or order resets the page. */
export const changedSearch = (search: ListSearch, change: ListSearch): ListSearch =>
  readListSearch({ ...search, ...change, cursor: '' });

/** Sorts the list by a column: ascending, then descending, then by default the newest first. */
export const sortedSearch = (search: ListSearch, by: SessionSort): ListSearch => {
  const next = new Map<string | undefined, string>([
    [by, `-${by}`],
    [`-${by}`, ''],
  ]);
  return changedSearch(search, { sort: next.get(search.sort) ?? by });
};

/** The filter without its outcome, for counts. */
export const groupOf = (search: ListSearch): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (['proposal', 'beamline', 'batch', 'submitter'] as const).flatMap((name) =>
      search[name] === undefined ? [] : [[name, search[name]]],
    ),
  );

/** The parameters of the API request. */
export const listParameters = (search: ListSearch): Readonly<Record<string, string>> => ({ ...search, limit: '50' });

export const isFiltered = (search: ListSearch): boolean =>
  names.some((name) => name !== 'sort' && name !== 'cursor' && search[name] !== undefined);

/** The query of a URL as plain text in both directions: a proposal named 007 stays text. */
export const parseQuery = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query.replace(/^\?/, '')));
export const queryOf = (search: Readonly<Record<string, unknown>>): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (typeof value === 'string') given.set(name, value);
  const query = given.toString();
  return query === '' ? '' : `?${query}`;
};
