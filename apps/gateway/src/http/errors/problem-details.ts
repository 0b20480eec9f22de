import { isFault, type Fault } from '@fleet/contracts/faults';
import type { ApiProblem, ProblemDetails } from '@fleet/contracts/sessions';
import { entryOfFaultKind, errorCatalogue, isErrorCode, type ErrorCode, type ErrorEntry } from './error-catalogue';

export const problemMediaType = 'application/problem+json';

/** A rate limit, and when to retry. */
export interface ReachedLimit {
  /** What is counted. */
  readonly policy: string;
  readonly perMinute: number;
  /** Seconds. */
  readonly retryAfterS: number;
}

/** An error response; thrown by controllers and use cases. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly code: ErrorCode,
    detail: string,
    readonly problems: readonly ApiProblem[] = [],
    /** For a rate limit. */
    readonly limit?: ReachedLimit,
  ) {
    super(detail);
  }
}

export const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'ApiError';

/** Whether a request was rejected, as opposed to a failure of the service. */
export const isRefusal = (error: unknown): error is ApiError | Fault =>
  isApiError(error) || (isFault(error) && error.kind !== 'transient');

/** An error without its path: the client's text, and whether the service failed. */
interface Described {
  readonly code: string;
  readonly entry: ErrorEntry;
  readonly detail: string;
  readonly problems: readonly ApiProblem[];
}

const describe = (code: ErrorCode, detail: string, problems: readonly ApiProblem[] = []): Described => ({
  code,
  entry: errorCatalogue[code],
  detail,
  problems,
});

/**
 * The client's text while a folder is not mounted, a disk is full or a file server is unreachable; the paths go only to
 * the log.
 */
const storageAway =
  'The folders of the service are not accessible at the moment; nothing is lost. Try again, and tell the operators if the problem persists.';

/** Commands are independent of HTTP: their input from headers is named differently, and an entity tag is quoted. */
const inHeaders = ({ code, problems }: Fault): readonly ApiProblem[] => {
  if (code === 'idempotency.conflict') return problems.map((problem) => ({ ...problem, field: 'Idempotency-Key' }));
  if (code !== 'advice.changed' && code !== 'advice.no_precondition') return problems;
  return problems.map((problem) => ({ ...problem, field: 'If-Match', allowed: `"${problem.allowed ?? ''}"` }));
};

const ofFault = (fault: Fault): Described | undefined => {
  if (fault.kind === 'bug') return undefined;
  if (isStorageFault(fault)) return describe('storage.unavailable', storageAway);
  if (isErrorCode(fault.code)) return describe(fault.code, fault.message, inHeaders(fault));
  // A transient fault of an adapter may contain hosts and ports; the client only needs to know that a retry helps.
  const detail = fault.kind === 'transient' ? 'A part of the service is unreachable; try again.' : fault.message;
  return { code: fault.code, entry: entryOfFaultKind[fault.kind], detail, problems: fault.problems };
};

const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'request.bad_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'request.bad_json',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request.rejected',
  FST_ERR_MAX_PARAM_LENGTH: 'request.uri_too_long',
  FST_ERR_BAD_URL: 'request.invalid',
  FST_ERR_ASYNC_CONSTRAINT: 'request.invalid',
};

const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'request.bad_json',
  404: 'route.not_found',
  413: 'request.too_large',
  414: 'request.uri_too_long',
  415: 'request.unsupported_media_type',
  503: 'service.unavailable',
};

const text = (value: unknown, key: string): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const member: unknown = Reflect.get(value, key);
  return typeof member === 'string' ? member : undefined;
};

const status = (error: Error): number | undefined => {
  const own: unknown = Reflect.get(error, 'statusCode');
  if (typeof own === 'number') return own;
  const getStatus: unknown = Reflect.get(error, 'getStatus');
  const frameworkStatus: unknown = typeof getStatus === 'function' ? Reflect.apply(getStatus, error, []) : undefined;
  return typeof frameworkStatus === 'number' ? frameworkStatus : undefined;
};

/** Errors of the framework: no route, a body that is invalid JSON, too long, or of another type. */
const ofFramework = (error: Error): Described | undefined => {
  const known = frameworkCodes[text(error, 'code') ?? ''];
  if (known !== undefined) return describe(known, error.message);
  const code = status(error);
  if (code === undefined || (code >= 500 && code !== 503)) return undefined;
  return describe(codeOfStatus[code] ?? 'request.rejected', error.message);
};

/** System calls other than file operations. */
const otherCalls: ReadonlySet<string> = new Set([
  'connect',
  'listen',
  'bind',
  'accept',
  'getaddrinfo',
  'spawn',
  'kill',
]);

const isStorageFault = (fault: Fault): boolean => fault.kind === 'transient' && fault.code.startsWith('storage.');

/** Whether a folder or a disk failed. Handlers that expect missing files report those themselves. */
export const isStorageError = (error: unknown): boolean => {
  if (isFault(error)) return isStorageFault(error);
  const call = text(error, 'syscall')?.split(' ')[0];
  return call !== undefined && !otherCalls.has(call) && /^E[A-Z]+$/.test(text(error, 'code') ?? '');
};

const describeError = (error: unknown): Described | undefined => {
  if (isApiError(error)) return describe(error.code, error.message, error.problems);
  if (isFault(error)) return ofFault(error);
  if (isStorageError(error)) return describe('storage.unavailable', storageAway);
  return error instanceof Error ? ofFramework(error) : undefined;
};

/** The HTTP status of an error; undefined if the service failed. */
export const statusOf = (error: unknown): number | undefined => describeError(error)?.entry.status;

/** Whether the service failed: the cause goes to the log, not to the client. */
export const isUnexpected = (error: unknown): boolean => describeError(error) === undefined;

/**
 * The problem details for the client.
 * @param error any thrown value
 * @param at `instance`: the request's path; `requestId`: finds the log message if the service failed; `traceId`: of its
 *   trace, if it has one
 */
export const toProblem = (
  error: unknown,
  at: { readonly instance: string; readonly requestId: string; readonly traceId?: string | undefined },
): ProblemDetails => {
  const known = describeError(error);
  const described =
    known ??
    describe('service.error', 'The service failed to answer; its operators can find the cause by the request id.');
  return {
    type: `urn:phenix-fleet:error:${described.code}`,
    title: described.entry.title,
    status: described.entry.status,
    detail: described.detail,
    instance: at.instance,
    code: described.code,
    requestId: at.requestId,
    ...(at.traceId !== undefined && { traceId: at.traceId }),
    ...(described.problems.length > 0 && { problems: described.problems }),
  };
};
