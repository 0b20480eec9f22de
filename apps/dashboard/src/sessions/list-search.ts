import { sessionOutcomes, sessionStatuses } from '@fleet/contracts';

/** What a list shows, as its address says it: parameters of `GET /v1/sessions`. */
export interface ListSearch {
  readonly status?: string;
  readonly outcome?: string;
  readonly proposal?: string;
  readonly beamline?: string;
  readonly batch?: string;
  readonly submitter?: string;
  readonly text?: string;
  readonly sort?: string;
  readonly cursor?: string;
}

export const orders = ['newest', 'oldest', 'title'] as const;
const choices: Readonly<Record<string, readonly string[]>> = {
  status: sessionStatuses,
  outcome: sessionOutcomes,
  sort: orders,
};
const names = ['status', 'outcome', 'proposal', 'beamline', 'batch', 'submitter', 'text', 'sort', 'cursor'] as const;
type Name = (typeof names)[number];

const isAllowed = (name: Name, value: string): boolean => choices[name]?.includes(value) ?? true;

/** Reads an address; what is no filter of ours, or has a value that none of them has, is left out of it. */
export const readListSearch = (raw: Readonly<Record<string, unknown>>): ListSearch =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = raw[name];
      return typeof value === 'string' && value !== '' && isAllowed(name, value) ? [[name, value]] : [];
    }),
  );

/** Another filter or order begins at the first page again. With a text the API sorts by title, and wants no other order. */
export const changedSearch = (search: ListSearch, change: Partial<Record<Name, string>>): ListSearch => {
  const changed = readListSearch({ ...search, ...change, cursor: '' });
  return changed.text === undefined ? changed : readListSearch({ ...changed, sort: '' });
};

/** What sessions have in common, without what has become of them: what is counted. */
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
