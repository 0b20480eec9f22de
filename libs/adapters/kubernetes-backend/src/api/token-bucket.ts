import type { Clock } from '@fleet/ports';

export interface TokenBucketOptions {
  /** Tokens added per second. */
  readonly perSecond: number;
  /** Tokens of a full bucket. */
  readonly burst: number;
  readonly clock: Clock;
}

/**
 * Token bucket for calls: one token per call, at most `burst` after a pause. A token can be taken in advance. The
 * result is the waiting time, so callers are served in order of arrival.
 */
export class TokenBucket {
  private tokens: number;
  private at: number;

  constructor(private readonly options: TokenBucketOptions) {
    this.tokens = options.burst;
    this.at = options.clock.now();
  }

  /** Takes a token. Returns the milliseconds until it may be used. */
  take(): number {
    this.refill();
    this.tokens -= 1;
    return this.debtMs();
  }

  /** Milliseconds that a new call would wait. */
  waitMs(): number {
    this.refill();
    return this.tokens >= 1 ? 0 : Math.ceil(((1 - this.tokens) / this.options.perSecond) * 1_000);
  }

  private debtMs(): number {
    return this.tokens >= 0 ? 0 : Math.ceil((-this.tokens / this.options.perSecond) * 1_000);
  }

  private refill(): void {
    const now = this.options.clock.now();
    // A clock that was set back adds no tokens and does not stall the bucket.
    const seconds = Math.max(0, now - this.at) / 1_000;
    this.at = now;
    this.tokens = Math.min(this.options.burst, this.tokens + seconds * this.options.perSecond);
  }
}
