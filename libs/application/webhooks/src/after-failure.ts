import type { ClaimedDeliveries, Delivery, Failure, NotSent } from '@fleet/ports';

const hourMs = 3_600_000;
const longestAgainMs = 6 * hourMs;
/** Maximum delay for an unreachable target, so that it is notified soon after it recovers. */
const longestHoldMs = 10 * 60_000;
/** Maximum delay that a target can request. */
const longestRetryAfterMs = 24 * hourMs;

/** Number and delay of retries of a notice. */
export interface Patience {
  /** Milliseconds until the second attempt; each next one waits four times longer. */
  readonly firstAgainMs: number;
  /** Attempts until a notice is dead. */
  readonly maxAttempts: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** Exponential backoff with jitter, so that attempts that failed together are not retried together. */
const backoff = (failures: number, longest: number, { firstAgainMs, random }: Patience): number =>
  Math.ceil(Math.min(firstAgainMs * 4 ** Math.min(failures, 20), longest) * (0.5 + random() / 2));

/**
 * The result of a failed delivery. If the target is unreachable or requests a pause, all its notices wait; a refused message blocks only
 * those of the same session.
 */
export const afterFailure = (
  { attempts }: Pick<Delivery, 'attempts'>,
  { failing }: Pick<ClaimedDeliveries, 'failing'>,
  { why, isGone, isTarget, retryAfterMs = 0 }: NotSent,
  patience: Patience,
): Failure => {
  const requestedMs = Math.min(retryAfterMs, longestRetryAfterMs);
  const holdMs = isTarget ? Math.max(backoff(failing, longestHoldMs, patience), requestedMs) : 0;
  // The same for all notices of the claim.
  const failure = { why, holdMs, failing: failing + 1 };
  if (isGone || attempts + 1 >= patience.maxAttempts) return { ...failure, againInMs: 'never' };
  return { ...failure, againInMs: Math.max(backoff(attempts, longestAgainMs, patience), requestedMs) };
};
