import type { Clock } from '@fleet/ports';

export interface TokenBucketOptions {
  /** Tokens that come back each second. */
  readonly perSecond: number;
  /** Tokens of a full bucket. */
  readonly burst: number;
  readonly clock: Clock;
}

/**
 * Keeps calls within a rate: a token each, `burst` of them after a rest. A token may be taken before it is there; the
 * answer says how long to wait for it, so that callers queue in the order in which they came.
 */
export class TokenBucket {
  private tokens: number;
  private at: number;

  constructor(private readonly options: TokenBucketOptions) {
    this.tokens = options.burst;
    this.at = options.clock.now();
  }

  /** Takes a token; milliseconds until it may be used. */
  take(): number {
    this.refill();
    this.tokens -= 1;
    return this.debtMs();
  }

  /** Milliseconds that a call which came now would wait. */
  waitMs(): number {
    this.refill();
    return this.tokens >= 1 ? 0 : Math.ceil(((1 - this.tokens) / this.options.perSecond) * 1_000);
  }

  private debtMs(): number {
    return this.tokens >= 0 ? 0 : Math.ceil((-this.tokens / this.options.perSecond) * 1_000);
  }

  private refill(): void {
    const now = this.options.clock.now();
    // A clock that was put back gives nothing, and does not stop the bucket for as long as it was put back.
    const seconds = Math.max(0, now - this.at) / 1_000;
    this.at = now;
    this.tokens = Math.min(this.options.burst, this.tokens + seconds * this.options.perSecond);
  }
}
