export const RATE_LIMITS = Symbol('RateLimits');

/** What was taken from a bucket. */
export interface Taken {
  /** 0 up to the requested amount. */
  readonly granted: number;
  /** Milliseconds until the requested amount is available; 0 if some was granted. */
  readonly retryMs: number;
}

/**
 * Token buckets that all gateways share. Each holds one minute's allowance and refills over time; an unknown bucket is full. They are lost
 * with Redis: then all are full.
 */
export interface RateLimits {
  /** @param perMinute at least 1 */
  take(bucket: string, perMinute: number, wanted: number): Promise<Taken>;
  /** Subtracts consumption that was unknown in advance: the bucket may become negative. */
  charge(bucket: string, perMinute: number, used: number): Promise<void>;
}
