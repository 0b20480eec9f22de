import { Fault } from '@fleet/contracts/faults';

export interface ApiAnswer {
  /** HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** The server's own word, for example `AlreadyExists`; for a lost connection the system's. */
  readonly reason: string;
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** What the API server answered, when that was not a success, or why there was no answer. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  constructor(
    /** For example `create Job phx-…`. */
    readonly call: string,
    readonly answer: ApiAnswer,
    message: string,
    cause?: unknown,
  ) {
    const { status, reason } = answer;
    super(`${call}: ${status === undefined ? reason : `${String(status)} ${reason}`}: ${message}`, { cause });
  }

  get status(): number | undefined {
    return this.answer.status;
  }

  get retryAfterMs(): number | undefined {
    return this.answer.retryAfterMs;
  }
}

export const isApiFailure = (error: unknown): error is ApiFailure =>
  error instanceof Error && error.name === 'ApiFailure';

export const hasStatus = (error: unknown, status: number): boolean => isApiFailure(error) && error.status === status;

/** Statuses of a server that is busy, starts, or has lost its own store for a moment. */
const passingStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

/** True when the same call may succeed a moment later: no answer, a busy server, a server in trouble. */
export const isPassing = (error: unknown): boolean =>
  isApiFailure(error) && (error.status === undefined || passingStatuses.has(error.status));

/** The failure as the rest of the project knows errors. */
export const faultOf = (error: unknown): unknown => {
  if (!isApiFailure(error)) return error;
  if (isPassing(error)) {
    return new Fault('cluster.unreachable', 'transient', `the Kubernetes API server fails: ${error.message}`, {
      cause: error,
    });
  }
  const forbidden = error.status === 401 || error.status === 403;
  return new Fault(
    forbidden ? 'cluster.forbidden' : 'cluster.refused',
    forbidden ? 'transient' : 'bug',
    `the Kubernetes API server refuses: ${error.message}`,
    { cause: error },
  );
};
