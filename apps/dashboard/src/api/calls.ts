import type {
  AdviceReading,
  BatchPage,
  BatchResult,
  BatchResultPage,
  BatchRow,
  BatchRowPage,
  BatchView,
  BatchWish,
  EventsView,
  FolderView,
  IdentityView,
  LogoutView,
  MeView,
  ProblemDetails,
  ResultsView,
  RowsAdded,
  RowsRetried,
  SessionCounts,
  SessionHead,
  SessionNewsPage,
  SessionPage,
  SessionRow,
  SessionView,
  SettingsView,
  Submission,
  SubmissionReading,
} from '@fleet/contracts';
import type { MetricsView } from '@fleet/session-report';
import { wallTexts } from '../texts-wall';
import { forgetKey, isByLink, keptKey } from './session-key';

/** Everything that the dashboard asks of the API: the one file that knows its addresses. */

/** The API's answer that something is wrong, in its own words; status 0: it did not answer. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code = '',
    readonly problems: NonNullable<ProblemDetails['problems']> = [],
  ) {
    super(message);
  }
}

export const isFailure = (error: unknown, status?: number): error is ApiFailure =>
  error instanceof ApiFailure && (status === undefined || error.status === status);

/** Below the dashboard's own address, so that it holds wherever a proxy puts the gateway. */
const addressOf = (path: string): string => new URL(`../${path.replace(/^\//, '')}`, document.baseURI).href;

/** Milliseconds by which the gateway's clock is ahead of the browser's; ages are told by the gateway's. */
let ahead = 0;
export const serverNow = (): number => Date.now() + ahead;

const noteClock = (answer: Response): void => {
  const there = Date.parse(answer.headers.get('date') ?? '');
  // The header has whole seconds: less than two are no difference.
  if (!Number.isNaN(there)) ahead = Math.abs(there - Date.now()) < 2000 ? 0 : there - Date.now();
};

const failureOf = async (answer: Response): Promise<ApiFailure> => {
  const isProblem = answer.headers.get('content-type')?.includes('json') === true;
  if (!isProblem) return new ApiFailure(answer.status, `${String(answer.status)} ${answer.statusText}`);
  const { detail, code, problems = [] } = (await answer.json()) as ProblemDetails;
  const all = problems.map(({ field, reason }) => `${field}: ${reason}`);
  return new ApiFailure(answer.status, [detail, ...all].join(' '), code, problems);
};

interface Asking {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly body?: string | Blob;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** What a change by the login of the browser needs: no page of another origin can send it. */
const ownPage = { 'x-fleet-request': '1' } as const;

/** @throws ApiFailure for every answer that is neither a success nor 304 */
export const ask = async (
  path: string,
  { method = 'GET', body, headers = {}, signal }: Asking = {},
): Promise<Response> => {
  const key = keptKey();
  const answer = await fetch(addressOf(path), {
    method,
    ...(body !== undefined && { body }),
    headers: { ...ownPage, ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
    ...(signal !== undefined && { signal }),
    credentials: 'same-origin',
    cache: 'no-store',
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiFailure(0, error instanceof Error ? error.message : String(error));
  });
  noteClock(answer);
  if (answer.ok || answer.status === 304) return answer;
  throw await failureOf(answer);
};

export const json = async <T>(path: string, signal?: AbortSignal): Promise<T> => {
  const accept = { accept: 'application/json' };
  return (await (await ask(path, { headers: accept, ...(signal !== undefined && { signal }) })).json()) as T;
};

/** Sends a JSON body, and reads the JSON answer. */
export const send = async <T>(path: string, body: object, more: Asking = {}): Promise<T> => {
  const headers = { accept: 'application/json', 'content-type': 'application/json', ...more.headers };
  return (await (await ask(path, { method: 'POST', ...more, body: JSON.stringify(body), headers })).json()) as T;
};

const known = new Map<string, { readonly tag: string; readonly body: unknown }>();

/** What the address had last, where its tag says that this still holds. */
const jsonByTag = async <T>(path: string, signal: AbortSignal): Promise<T> => {
  const before = known.get(path);
  const headers = before === undefined ? {} : { 'if-none-match': before.tag };
  const answer = await ask(path, { headers, signal });
  if (answer.status === 304 && before !== undefined) return before.body as T;
  const body = (await answer.json()) as T;
  const tag = answer.headers.get('etag');
  if (tag !== null) known.set(path, { tag, body });
  return body;
};

const sessionPath = (id: string): string => `v1/sessions/${encodeURIComponent(id)}`;

/** @throws ApiFailure with status 401 also where the key of a link can do more than look: it is forgotten */
export const fetchMe = async (signal: AbortSignal): Promise<MeView> => {
  const me = await json<MeView>('v1/me', signal);
  if (!isByLink() || me.role === 'kiosk') return me;
  forgetKey();
  throw new ApiFailure(401, wallTexts.otherRole(me.role));
};
export const fetchIdentity = (signal: AbortSignal): Promise<IdentityView> => json('v1/identity', signal);
/** Ends the login of the browser. */
export const logOut = async (): Promise<LogoutView> =>
  (await (await ask('v1/logout', { method: 'POST' })).json()) as LogoutView;
export const fetchMetrics = (signal: AbortSignal): Promise<MetricsView> => json('v1/metrics', signal);
export const fetchSession = (id: string, signal: AbortSignal): Promise<SessionView> =>
  jsonByTag(sessionPath(id), signal);
export const fetchResults = (id: string, signal: AbortSignal): Promise<ResultsView> =>
  json(`${sessionPath(id)}/results`, signal);
export const fetchEvents = (id: string, signal: AbortSignal): Promise<EventsView> =>
  json(`${sessionPath(id)}/events`, signal);

/** Sessions by the parameters of `GET /v1/sessions`. */
export const fetchSessions = (
  parameters: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<SessionPage> => json(`v1/sessions?${new URLSearchParams(parameters).toString()}`, signal);

/** How many there are, by the parameters of `GET /v1/counts`. */
export const fetchCounts = (
  parameters: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<SessionCounts> => json(`v1/counts?${new URLSearchParams(parameters).toString()}`, signal);

/** What a wall shows. */
export interface WallView {
  readonly counts: SessionCounts;
  readonly sessions: readonly SessionRow[];
}

/** What is under way, the newest and the oldest of it where there is very much, and the newest of those that have ended. */
export const fetchWall = async (group: Readonly<Record<string, string>>, signal: AbortSignal): Promise<WallView> => {
  const page = async (more: Readonly<Record<string, string>>): Promise<readonly SessionRow[]> =>
    (await fetchSessions({ ...group, ...more }, signal)).sessions;
  const [counts, ...pages] = await Promise.all([
    fetchCounts(group, signal),
    page({ status: 'running', limit: '100' }),
    page({ status: 'running', limit: '100', sort: 'oldest' }),
    ...['cancelling', 'completed', 'unsatisfactory', 'failed', 'cancelled'].map((status) =>
      page({ status, limit: '20' }),
    ),
  ]);
  return { counts, sessions: [...new Map(pages.flat().map((row) => [row.id, row])).values()] };
};

export const cancelSession = (id: string): Promise<SessionHead> => send(`${sessionPath(id)}/cancel`, {});
/** It goes on with its next cycle, with the files and settings that it has. */
export const retrySession = (id: string): Promise<SessionView> => send(`${sessionPath(id)}/resume`, {});

const batchPath = (id: string): string => `v1/batches/${encodeURIComponent(id)}`;

/** Batches by the parameters of `GET /v1/batches`. */
export const fetchBatches = (parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<BatchPage> =>
  json(`v1/batches?${new URLSearchParams(parameters).toString()}`, signal);
export const fetchBatch = (id: string, signal: AbortSignal): Promise<BatchView> => jsonByTag(batchPath(id), signal);

/** What every row has brought so far, in the order of the rows. */
export const fetchBatchResults = async (id: string, signal: AbortSignal): Promise<readonly BatchResult[]> => {
  const all: BatchResult[] = [];
  for (let cursor: string | undefined = '0'; cursor !== undefined;) {
    const page: BatchResultPage = await json(`${batchPath(id)}/results?limit=500&cursor=${cursor}`, signal);
    all.push(...page.results);
    cursor = page.nextCursor;
  }
  return all;
};

export const changeBatch = (id: string, to: 'pause' | 'resume' | 'cancel'): Promise<BatchView> =>
  send(`${batchPath(id)}/${to}`, {});
export const retryBatch = (id: string): Promise<RowsRetried> => send(`${batchPath(id)}/retry`, {});
export const downloadBatch = (id: string, sort: string): Promise<void> =>
  download(`${batchPath(id)}/results.csv?sort=${sort}`, `batch-${id}.csv`);

/** What became of every row, in their order. */
export const fetchBatchRows = async (id: string, signal: AbortSignal): Promise<readonly BatchRow[]> => {
  const all: BatchRow[] = [];
  for (let cursor: string | undefined = '0'; cursor !== undefined;) {
    const page: BatchRowPage = await json(`${batchPath(id)}/rows?limit=500&cursor=${cursor}`, signal);
    all.push(...page.rows);
    cursor = page.nextCursor;
  }
  return all;
};

/** A header that makes repeating safe. */
const keyed = (key: string): Asking => ({ headers: { 'idempotency-key': key } });

export const makeBatch = (wish: BatchWish, key: string): Promise<BatchView> => send('v1/batches', wish, keyed(key));
/** @param type media type of the manifest */
export const addManifest = async (id: string, text: string, type: string): Promise<RowsAdded> => {
  const answer = await ask(`${batchPath(id)}/rows?complete=true`, {
    method: 'POST',
    body: text,
    headers: { accept: 'application/json', 'content-type': type },
  });
  return (await answer.json()) as RowsAdded;
};

/** A page of a folder; without a path the data folders. */
export const fetchFolder = (parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<FolderView> =>
  json(`v1/folders?${new URLSearchParams(parameters).toString()}`, signal);
export const fetchSettings = (signal: AbortSignal): Promise<SettingsView> => json('v1/settings', signal);
export const readAdvice = (advice: string, signal: AbortSignal): Promise<AdviceReading> =>
  send('v1/advice/readings', { advice }, { signal });
export const readSubmission = (submission: Submission, signal: AbortSignal): Promise<SubmissionReading> =>
  send('v1/submissions/readings', submission, { signal });
export const submitSession = (submission: Submission, key: string): Promise<SessionView> =>
  send('v1/sessions', submission, keyed(key));

/** Moves after a place; without one the place where the next begin. */
export const fetchNews = (after: string | undefined, signal: AbortSignal): Promise<SessionNewsPage> =>
  json(`v1/events${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`, signal);

/** The stream of moves; the caller reads its body. */
export const openNews = (after: string | undefined, signal: AbortSignal): Promise<Response> =>
  ask('v1/events', {
    headers: { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) },
    signal,
  });

/** A part of a program's log. */
export interface LogPart {
  readonly bytes: Uint8Array;
  readonly attempt: number;
  readonly offset: number;
  readonly next: number;
  readonly size: number;
  /** Nothing more will come. */
  readonly complete: boolean;
}

const numberIn = (answer: Response, header: string): number => Number(answer.headers.get(header) ?? 0);

/** @param offset bytes; below zero: from the end */
export const fetchLog = async (
  { id, cycle, attempt }: { readonly id: string; readonly cycle: number; readonly attempt?: number | undefined },
  { offset, limit }: { readonly offset: number; readonly limit: number },
  signal: AbortSignal,
): Promise<LogPart> => {
  const parameters = new URLSearchParams({ offset: String(offset), limit: String(limit) });
  if (attempt !== undefined) parameters.set('attempt', String(attempt));
  const answer = await ask(`${sessionPath(id)}/cycles/${String(cycle)}/log?${parameters.toString()}`, { signal });
  return {
    bytes: new Uint8Array(await answer.arrayBuffer()),
    attempt: numberIn(answer, 'x-log-attempt'),
    offset: numberIn(answer, 'x-log-offset'),
    next: numberIn(answer, 'x-log-next-offset'),
    size: numberIn(answer, 'x-log-size'),
    complete: answer.headers.get('x-log-complete') === 'true',
  };
};

/** Fetches a file with the key, which a plain link could not send, and hands it to the browser to keep. */
export const download = async (href: string, name: string): Promise<void> => {
  const address = URL.createObjectURL(await (await ask(href)).blob());
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // The browser has taken it over once the click is handled.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 60_000);
};
