import type { ClaimedDeliveries, Delivery, Failure, NotSent } from '@fleet/ports';

const hourMs = 3_600_000;
const longestAgainMs = 6 * hourMs;
/** A target that is away is tried again after this at the latest, so that it hears soon that it is back. */
const longestHoldMs = 10 * 60_000;
/** A target that asks for more time gets a day at most. */
const longestRetryAfterMs = 24 * hourMs;

/** How often and how soon a notice is tried again. */
export interface Patience {
  /** Milliseconds until the second try; each next one comes four times later. */
  readonly firstAgainMs: number;
  /** Tries until a notice is dead. */
  readonly maxAttempts: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** Exponential, and so spread that tries which failed together do not come back together. */
const backoff = (failures: number, longest: number, { firstAgainMs, random }: Patience): number =>
  Math.ceil(Math.min(firstAgainMs * 4 ** Math.min(failures, 20), longest) * (0.5 + random() / 2));

/**
 * The outcome of a notice that was not taken. Where the target itself is away or asks for time, it is left alone with all that waits for it; a
 * message that it refuses keeps only those of the same session waiting.
 */
export const afterFailure = (
  { attempts }: Pick<Delivery, 'attempts'>,
  { failing }: Pick<ClaimedDeliveries, 'failing'>,
  { why, isGone, isTarget, retryAfterMs = 0 }: NotSent,
  patience: Patience,
): Failure => {
  const requestedMs = Math.min(retryAfterMs, longestRetryAfterMs);
  const holdMs = isTarget ? Math.max(backoff(failing, longestHoldMs, patience), requestedMs) : 0;
  // Of all that was tried with the same claim, together.
  const failure = { why, holdMs, failing: failing + 1 };
  if (isGone || attempts + 1 >= patience.maxAttempts) return { ...failure, againInMs: 'never' };
  return { ...failure, againInMs: Math.max(backoff(attempts, longestAgainMs, patience), requestedMs) };
};
