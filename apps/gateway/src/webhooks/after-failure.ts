import type { ClaimedDeliveries, Delivery, Failure } from '@fleet/ports';
import type { NotSent } from './send-message';
import type { WebhookOptions } from './webhook-options';

const hourMs = 3_600_000;
const longestAgainMs = 6 * hourMs;
/** A target that is away is tried again after this at the latest, so that it hears soon that it is back. */
const longestHoldMs = 10 * 60_000;
/** A target that asks for more time gets a day at most. */
const longestRetryAfterMs = 24 * hourMs;

type Patience = Pick<WebhookOptions, 'firstAgainMs' | 'maxAttempts' | 'random'>;

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
  const asked = Math.min(retryAfterMs, longestRetryAfterMs);
  const holdMs = isTarget ? Math.max(backoff(failing, longestHoldMs, patience), asked) : 0;
  // Of all that was tried with the same claim, together.
  const said = { why, holdMs, failing: failing + 1 };
  if (isGone || attempts + 1 >= patience.maxAttempts) return { ...said, againInMs: 'never' };
  return { ...said, againInMs: Math.max(backoff(attempts, longestAgainMs, patience), asked) };
};
