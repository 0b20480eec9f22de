import { sessionOutcomes, sessionStatuses } from '@fleet/contracts';
import { sessionOrders, type SessionFilter, type SessionGroup, type SessionOrder } from '@fleet/ports';
import { QueryReader, type Query } from '../http/read-query';

const name = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const nameAllowed = 'letters, digits, ".", "_" and "-"';
const batchForm = /^[0-9a-z][0-9a-z-]{0,63}$/;
/** As submitters and titles are. */
const lineForm = /^[^\p{Cc}]{1,200}$/u;
const lineAllowed = 'one line of text, at most 200 characters';
/** As `SessionIndex.list` gives them: when a session was made, in milliseconds, and its id. */
const timeCursor = /^\d{15}:[0-9a-z]{26}$/;
/** What a session is called by, packed. */
const titleCursor = /^[A-Za-z0-9_-]{4,1200}$/;

/** By what sessions have in common. */
export const groupParameters = ['status', 'outcome', 'proposal', 'beamline', 'batch', 'submitter'] as const;
/** Of these, what a wall may filter by: another filter would tell what its rows do not show. */
export const wallParameters = ['proposal', 'beamline'] as const;
const parameters = [...groupParameters, 'text', 'since', 'until', 'sort', 'limit', 'cursor'] as const;

/** Which sessions are to be listed, and how. */
export interface ListQuery {
  readonly filter: SessionFilter;
  readonly order: SessionOrder;
  readonly limit: number;
  readonly cursor?: string;
}

/** What is wrong with them is reported by the reader. */
export const readGroup = (reader: QueryReader): SessionGroup =>
  given({
    status: reader.choice('status', sessionStatuses),
    outcome: reader.choice('outcome', sessionOutcomes),
    proposal: reader.text('proposal', name, nameAllowed),
    beamline: reader.text('beamline', name, nameAllowed),
    batch: reader.text('batch', batchForm, 'the id of a batch'),
    submitter: reader.text('submitter', lineForm, lineAllowed),
  });

/** @throws ApiError `request.invalid` with every problem that was found */
export const readListQuery = (query: Query): ListQuery => {
  const reader = new QueryReader(query, parameters);
  const filter = {
    ...readGroup(reader),
    text: reader.text('text', lineForm, lineAllowed),
    since: reader.time('since'),
    until: reader.time('until'),
  };
  const sort = reader.choice('sort', sessionOrders);
  if (filter.text !== undefined && sort !== undefined && sort !== 'title')
    reader.refuse('sort', 'cannot be given with a text, by which sessions are listed by title', 'title');
  const order = filter.text === undefined ? (sort ?? 'newest') : 'title';
  const form = order === 'title' ? titleCursor : timeCursor;
  const cursor = reader.text('cursor', form, 'a nextCursor of an earlier answer with the same sort');
  const limit = reader.integer('limit', { default: 50, min: 1, max: 500 });
  reader.done();
  return { filter: given(filter), order, limit, ...(cursor !== undefined && { cursor }) };
};

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

const given = <T extends object>(values: T): Given<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
