import {
  ApiClient,
  ApiError,
  isApiError,
  type AnswerOf,
  type Given,
  type QueryOf,
  type Sending,
} from '@fleet/api-client';
import type { MeView } from '@fleet/contracts/access';
import type {
  BatchResult,
  BatchResultPage,
  BatchRow,
  BatchRowPage,
  BatchView,
  BatchRequest,
} from '@fleet/contracts/batches';
import type { SettingsView } from '@fleet/contracts/service';
import type {
  ForkRequest,
  ResultsView,
  SessionPage,
  SessionView,
  Submission,
  StoredEvent,
} from '@fleet/contracts/sessions';
import type { Statistics } from '@fleet/contracts/statistics';
import { setTimeZone } from '../format/times';
import { wallTexts } from '../texts/wall';
import { forgetKey, isByLink, storedKey } from './session-key';

/**
 * The dashboard's access to the API, and the calls that several places make or that do more than one request. A place
 * that makes a call of its own names it there, with `api`.
 */

/** Media types of manifests. */
export type ManifestType = Given<'POST /v1/batches/{id}/rows'>['raw']['type'];

/** Whether the API rejected the request, with this status if given; 0: no response. */
export const isFailure = (error: unknown, status?: number): error is ApiError =>
  isApiError(error) && (status === undefined || error.status === status);

/** Relative to the dashboard's own URL, so that it works at any proxy path. */
const addressOf = (path: string): string => new URL(`../${path.replace(/^\//, '')}`, document.baseURI).href;

/** Milliseconds by which the gateway's clock is ahead of the browser's; ages use the gateway's clock. */
let ahead = 0;
export const serverNow = (): number => Date.now() + ahead;

const noteClock = (answer: Response): void => {
  const there = Date.parse(answer.headers.get('date') ?? '');
  // The header has whole seconds: a difference below two is ignored.
  if (!Number.isNaN(there)) ahead = Math.abs(there - Date.now()) < 2000 ? 0 : there - Date.now();
};

/** Header of a change by browser login: no page of another origin can send it. */
const ownPage = { 'x-fleet-request': '1' } as const;

export const api = new ApiClient(async ({ path, headers, ...request }) => {
  const key = storedKey();
  const answer = await fetch(addressOf(path), {
    ...request,
    headers: { ...ownPage, ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
    credentials: 'same-origin',
    cache: 'no-store',
  }).catch((error: unknown) => {
    if (request.signal?.aborted === true) throw error;
    throw new ApiError(0, error instanceof Error ? error.message : String(error));
  });
  noteClock(answer);
  return answer;
});

const known = new Map<string, { readonly tag: string; readonly body: unknown }>();

type Tagged = 'GET /v1/sessions/{id}' | 'GET /v1/batches/{id}';

/** The cached response if its ETag is still valid. */
const byTag = async <A extends Tagged>(address: A, id: string, signal: AbortSignal): Promise<AnswerOf<A>> => {
  const tagKey = `${address} ${id}`;
  const before = known.get(tagKey);
  const headers = before === undefined ? {} : { 'if-none-match': before.tag };
  const answer = await api.open<Tagged>(address, { path: { id } }, { headers, signal });
  if (answer.status === 304 && before !== undefined) return before.body as AnswerOf<A>;
  const body = (await answer.json()) as AnswerOf<A>;
  const tag = answer.headers.get('etag');
  if (tag !== null) known.set(tagKey, { tag, body });
  return body;
};

/** @throws ApiError with status 401 also if the key of a link can do more than read: it is deleted then */
export const fetchMe = async (signal: AbortSignal): Promise<MeView> => {
  const me: MeView = await api.json('GET /v1/me', {}, { signal });
  setTimeZone(me.timeZone);
  if (!isByLink() || me.role === 'kiosk') return me;
  forgetKey();
  throw new ApiError(401, wallTexts.otherRole(me.role));
};
export const fetchSession = (id: string, signal: AbortSignal): Promise<SessionView> =>
  byTag('GET /v1/sessions/{id}', id, signal);
export const fetchResults = (id: string, signal: AbortSignal): Promise<ResultsView> =>
  api.json('GET /v1/sessions/{id}/results', { path: { id } }, { signal });
export const fetchSessions = (query: QueryOf<'GET /v1/sessions'>, signal: AbortSignal): Promise<SessionPage> =>
  api.json('GET /v1/sessions', { query }, { signal });

/** A header that makes repeats safe. */
const keyed = (key: string): Sending => ({ headers: { 'idempotency-key': key } });

/** The session continues with its next cycle, with its current files and settings. */
export const retrySession = (id: string): Promise<SessionView> =>
  api.json('POST /v1/sessions/{id}/resume', { path: { id }, body: {} });
/** A new session that continues after a cycle of this one. */
export const forkSession = (id: string, request: ForkRequest, key: string): Promise<SessionView> =>
  api.json('POST /v1/sessions/{id}/fork', { path: { id }, body: request }, keyed(key));
/**
 * Replaces the advice; an ended session continues if the advice is new.
 * @param upon the revision that it replaces
 * @throws ApiError with status 412 if the advice has another revision by now
 */
export const changeAdvice = (id: string, advice: string, upon: number): Promise<SessionView> => {
  const headers = { 'if-match': `"${String(upon)}"` };
  return api.json('PUT /v1/sessions/{id}/advice', { path: { id }, body: { advice } }, { headers });
};

export const fetchBatch = (id: string, signal: AbortSignal): Promise<BatchView> =>
  byTag('GET /v1/batches/{id}', id, signal);

/** Every page, from the first on. */
const allPages = async <P extends { readonly nextCursor?: string }>(
  fetchPage: (cursor: string) => Promise<P>,
): Promise<readonly P[]> => {
  const pages: P[] = [];
  for (let cursor: string | undefined = '0'; cursor !== undefined; cursor = pages.at(-1)?.nextCursor)
    pages.push(await fetchPage(cursor));
  return pages;
};

/** Results of every row so far, in row order. */
export const fetchBatchResults = async (id: string, signal: AbortSignal): Promise<readonly BatchResult[]> => {
  const page = (cursor: string): Promise<BatchResultPage> =>
    api.json('GET /v1/batches/{id}/results', { path: { id }, query: { limit: 500, cursor } }, { signal });
  return (await allPages(page)).flatMap(({ results }) => results);
};

export const downloadBatch = async (
  id: string,
  sort: NonNullable<QueryOf<'GET /v1/batches/{id}/results.csv'>['sort']>,
): Promise<void> =>
  keep(await api.open('GET /v1/batches/{id}/results.csv', { path: { id }, query: { sort } }), `batch-${id}.csv`);

/** The outcome of every row, in row order. */
export const fetchBatchRows = async (id: string, signal: AbortSignal): Promise<readonly BatchRow[]> => {
  const page = (cursor: string): Promise<BatchRowPage> =>
    api.json('GET /v1/batches/{id}/rows', { path: { id }, query: { limit: 500, cursor } }, { signal });
  return (await allPages(page)).flatMap(({ rows }) => rows);
};

export const createBatch = (request: BatchRequest, key: string): Promise<BatchView> =>
  api.json('POST /v1/batches', { body: request }, keyed(key));

export const fetchSettings = (signal: AbortSignal): Promise<SettingsView> =>
  api.json('GET /v1/settings', {}, { signal });
export const submitSession = (submission: Submission, key: string): Promise<SessionView> =>
  api.json('POST /v1/sessions', { body: submission }, keyed(key));

/** All events of a session, in pages of maximum size. */
export const fetchEvents = async (id: string, signal: AbortSignal): Promise<readonly StoredEvent[]> => {
  const limit = 5_000;
  const events: StoredEvent[] = [];
  for (let after: string | undefined; ;) {
    const part = await api.json('GET /v1/sessions/{id}/events', { path: { id }, query: { after, limit } }, { signal });
    events.push(...part.events);
    if (part.events.length < limit) return events;
    after = part.next;
  }
};

/** The stream of updates; the caller reads its body. */
export const openUpdateStream = (after: string | undefined, signal: AbortSignal): Promise<Response> => {
  const headers = { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) };
  return api.open('GET /v1/events', {}, { headers, signal });
};

/** A part of a program's log. */
export interface LogPart {
  readonly bytes: Uint8Array;
  readonly attempt: number;
  readonly offset: number;
  readonly next: number;
  readonly size: number;
  /** The log is complete. */
  readonly complete: boolean;
}

const numberIn = (answer: Response, header: string): number => Number(answer.headers.get(header) ?? 0);

/** @param offset bytes; negative: from the end */
export const fetchLog = async (
  { id, cycle, attempt }: { readonly id: string; readonly cycle: number; readonly attempt?: number | undefined },
  { offset, limit }: { readonly offset: number; readonly limit: number },
  signal: AbortSignal,
): Promise<LogPart> => {
  const given = { path: { id, cycle: String(cycle) }, query: { offset, limit, attempt } };
  const answer = await api.open('GET /v1/sessions/{id}/cycles/{cycle}/log', given, { signal });
  return {
    bytes: new Uint8Array(await answer.arrayBuffer()),
    attempt: numberIn(answer, 'x-log-attempt'),
    offset: numberIn(answer, 'x-log-offset'),
    next: numberIn(answer, 'x-log-next-offset'),
    size: numberIn(answer, 'x-log-size'),
    complete: answer.headers.get('x-log-complete') === 'true',
  };
};

/** All output files, or only the best, as one archive. */
export const downloadArchive = async (id: string, which: 'results' | 'all'): Promise<void> =>
  keep(await api.open('GET /v1/sessions/{id}/files.zip', { path: { id }, query: { which } }), `${id}.zip`);

export const fetchStatistics = (query: QueryOf<'GET /v1/statistics'>, signal: AbortSignal): Promise<Statistics> =>
  api.json('GET /v1/statistics', { query }, { signal });
export const downloadStatistics = async (query: QueryOf<'GET /v1/statistics'>): Promise<void> =>
  keep(await api.open('GET /v1/statistics.csv', { query }), `statistics-by-${query.by ?? 'month'}.csv`);

/** A file of a session. */
export const fetchFile = (href: string, signal: AbortSignal): Promise<Response> => api.follow(href, { signal });

/** Downloads a file with the key, which a plain link could not send, and passes it to the browser. */
export const download = async (href: string, name: string): Promise<void> => keep(await api.follow(href), name);

const keep = async (answer: Response, name: string): Promise<void> => {
  const address = URL.createObjectURL(await answer.blob());
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // The browser has taken over the download after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};
