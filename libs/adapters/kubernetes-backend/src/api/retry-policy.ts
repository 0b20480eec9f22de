import { isApiFailure, isPassing } from './api-failure';

/** Retries of a call. Milliseconds. */
export interface RetryPolicy {
  /** Time limit for all tries of one call together. */
  readonly budgetMs: number;
  readonly firstDelayMs: number;
  readonly largestDelayMs: number;
}

export const patientRetries: RetryPolicy = { budgetMs: 12_000, firstDelayMs: 100, largestDelayMs: 3_000 };

/**
 * Milliseconds until the next try; undefined if there is none. Doubles with each try, with jitter from half to all of
 * it so that callers do not retry at the same moment, and is never less than the server requests (Retry-After).
 */
export const retryDelay = (
  policy: RetryPolicy,
  failure: unknown,
  /** From 1. */
  failedTries: number,
  elapsedMs: number,
  /** From 0 to 1. */
  random: number,
): number | undefined => {
  if (!isPassing(failure)) return undefined;
  const doubled = Math.min(policy.largestDelayMs, policy.firstDelayMs * 2 ** (failedTries - 1));
  const requestedMs = isApiFailure(failure) ? (failure.retryAfterMs ?? 0) : 0;
  const delay = Math.max(requestedMs, doubled * (0.5 + random / 2));
  return elapsedMs + delay > policy.budgetMs ? undefined : Math.ceil(delay);
};

/**
 * Milliseconds of a Retry-After header, which contains seconds or a date (RFC 9110, 10.2.3); undefined if it is absent
 * or invalid.
 */
export const retryAfterMs = (header: string | null | undefined, nowMs: number): number | undefined => {
  if (header === null || header === undefined || header === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return seconds < 0 ? undefined : seconds * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
};
