import { isApiFailure, isPassing } from './api-failure';

/** How a call is tried again. Milliseconds. */
export interface RetryPolicy {
  /** All tries of one call together. */
  readonly budgetMs: number;
  readonly firstDelayMs: number;
  readonly largestDelayMs: number;
}

export const patientRetries: RetryPolicy = { budgetMs: 12_000, firstDelayMs: 100, largestDelayMs: 3_000 };

/**
 * Milliseconds until the next try; undefined when there shall be none. Doubles from try to try, between half and all of
 * that at random so that callers do not come back together, and never less than the server asks for (Retry-After).
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

/** Milliseconds of a Retry-After header, which holds seconds or a date (RFC 9110, 10.2.3); undefined when it says nothing. */
export const retryAfterMs = (header: string | null | undefined, nowMs: number): number | undefined => {
  if (header === null || header === undefined || header === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return seconds < 0 ? undefined : seconds * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
};
