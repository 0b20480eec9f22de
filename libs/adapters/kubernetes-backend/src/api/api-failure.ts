import { Fault } from '@fleet/contracts/faults';

export interface ApiAnswer {
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** The server's reason, for example `AlreadyExists`; for a lost connection the system's error code. */
  readonly reason: string;
  /** Delay requested by the server, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** An error response of the API server, or a missing response. */
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

/** Statuses of a server that is overloaded, starting or cut off from its store. */
const passingStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether a retry may succeed: no response, an overloaded server, a server error. */
export const isPassing = (error: unknown): boolean =>
  isApiFailure(error) && (error.status === undefined || passingStatuses.has(error.status));

/** Converts the failure into a Fault. */
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
