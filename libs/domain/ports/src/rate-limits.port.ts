export const RATE_LIMITS = Symbol('RateLimits');

/** What was taken from a bucket. */
export interface Taken {
  /** From none to as many as were wanted. */
  readonly granted: number;
  /** Milliseconds until as many as were wanted are there; 0 where some were granted. */
  readonly retryMs: number;
}

/**
 * Buckets that all gateways share. Each holds what a minute may use, and fills as time passes; one that nobody knows is full. They are lost
 * with Redis: then all are full.
 */
export interface RateLimits {
  /** @param perMinute at least 1 */
  take(bucket: string, perMinute: number, wanted: number): Promise<Taken>;
  /** Takes what was used already, because it was not known before how much it would be: the bucket may owe afterwards. */
  charge(bucket: string, perMinute: number, used: number): Promise<void>;
}
