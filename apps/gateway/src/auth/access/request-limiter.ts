import { Inject, Injectable, Logger } from '@nestjs/common';
import { failureText } from '@fleet/contracts/faults';
import { ruleOf, type Action } from '@fleet/contracts/route';
import { CLOCK, RATE_LIMITS, type Clock, type RateLimits } from '@fleet/ports';
import { ApiError } from '../../http/errors/problem-details';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import { addressBlockOf } from './address-block';

/** A gateway takes the share of a tenth of a second at once, so that few requests call Redis. */
const portionsPerMinute = 600;
const mostBuckets = 10_000;
/** Milliseconds without counting after Redis did not respond, so that callers do not wait for it again and again. */
const uncountedMs = 5_000;
/** Milliseconds between two log messages about the same empty bucket. */
const loggedMs = 60_000;

/** A period between two times. A clock that was set back ends it. */
interface Span {
  readonly from: number;
  readonly until: number;
}
const nothingYet: Span = { from: 0, until: 0 };
const isWithin = ({ from, until }: Span, now: number): boolean => from <= now && now < until;

/** This gateway's share of a bucket. */
interface Portion {
  left: number;
  /** The period in which the bucket is empty. */
  empty: Span;
  said: Span;
  asking?: Promise<void> | undefined;
}

/** A bucket and its size. */
interface Bucket {
  readonly name: string;
  readonly perMinute: number;
}

/**
 * Rate limits over all gateways: for the requests of a principal, for their submissions, and for requests without a
 * valid key from an IP address. While Redis is unreachable nothing is counted and no request is rejected.
 */
@Injectable()
export class RequestLimiter {
  private readonly logger = new Logger('Access');
  private readonly portions = new Map<string, Portion>();
  private uncounted = nothingYet;

  constructor(
    @Inject(RATE_LIMITS) private readonly limits: RateLimits,
    @Inject(GATEWAY_OPTIONS) private readonly options: Pick<GatewayOptions, 'rates'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Counts a request.
   * @param principal their id; empty: open access, not counted
   * @throws ApiError `request.too_many`
   */
  async admit(principal: string, action: Action): Promise<void> {
    if (principal === '') return;
    const { requestsPerMinute, submissionsPerMinute } = this.options.rates;
    await this.use('requests', principal, requestsPerMinute, (most) => `${principal} may make ${most} requests`);
    if (ruleOf(action).scope !== 'submit') return;
    const what = (most: string): string => `${principal} may submit ${most} sessions or rows of batches`;
    await this.use('submissions', principal, submissionsPerMinute, what);
  }

  /**
   * Counts a request without a valid key, or a beginning login, from an IP address.
   * @throws ApiError `request.too_many`, which is the response then
   */
  async admitStranger(address: string): Promise<void> {
    const block = addressBlockOf(address);
    const what = (most: string): string => `${block} may make ${most} requests without a valid key`;
    await this.use('refusals', block, this.options.rates.refusalsPerMinute, what);
  }

  /** Rows were added to a batch; their number is known only afterwards. */
  async chargeSubmissions(principal: string, rows: number): Promise<void> {
    const { submissionsPerMinute } = this.options.rates;
    if (principal === '' || rows === 0 || submissionsPerMinute === 0) return;
    try {
      await this.limits.charge(`submissions:${principal}`, submissionsPerMinute, rows);
    } catch (error) {
      this.goOnUncounted(error);
    }
  }

  /** @throws ApiError `request.too_many` */
  private async use(policy: string, who: string, perMinute: number, what: (most: string) => string): Promise<void> {
    if (perMinute === 0) return;
    const name = `${policy}:${who}`;
    const portion = this.portionOf(name);
    const retryMs = await this.takeOne(portion, { name, perMinute });
    if (retryMs === undefined) return;
    const retryAfterS = Math.max(1, Math.ceil(retryMs / 1000));
    const allowed = `${what(String(perMinute))} in a minute`;
    this.say(portion, allowed);
    throw new ApiError('request.too_many', `${allowed}. Try again in ${String(retryAfterS)} s.`, [], {
      policy,
      perMinute,
      retryAfterS,
    });
  }

  /** Undefined: a token was available, or nothing is counted. Otherwise the milliseconds until the next one. */
  private async takeOne(portion: Portion, bucket: Bucket): Promise<number | undefined> {
    for (;;) {
      const now = this.clock.now();
      if (isWithin(this.uncounted, now)) return undefined;
      if (portion.left > 0) {
        portion.left -= 1;
        return undefined;
      }
      if (isWithin(portion.empty, now)) return portion.empty.until - now;
      // Concurrent callers share one call.
      portion.asking ??= this.fill(portion, bucket);
      await portion.asking;
    }
  }

  private async fill(portion: Portion, { name, perMinute }: Bucket): Promise<void> {
    try {
      const { granted, retryMs } = await this.limits.take(name, perMinute, Math.ceil(perMinute / portionsPerMinute));
      portion.left = granted;
      const now = this.clock.now();
      if (granted === 0) portion.empty = { from: now, until: now + Math.max(1, retryMs) };
    } catch (error) {
      this.goOnUncounted(error);
    } finally {
      portion.asking = undefined;
    }
  }

  private goOnUncounted(error: unknown): void {
    const now = this.clock.now();
    if (!isWithin(this.uncounted, now))
      this.logger.warn({ message: 'requests cannot be counted; none is rejected', reason: failureText(error) });
    this.uncounted = { from: now, until: now + uncountedMs };
  }

  private say(portion: Portion, allowed: string): void {
    const now = this.clock.now();
    if (isWithin(portion.said, now)) return;
    portion.said = { from: now, until: now + loggedMs };
    this.logger.warn(`rate limit reached: ${allowed}`);
  }

  private portionOf(name: string): Portion {
    const known = this.portions.get(name);
    if (known !== undefined) return known;
    if (this.portions.size >= mostBuckets) this.portions.clear();
    const portion: Portion = { left: 0, empty: nothingYet, said: nothingYet };
    this.portions.set(name, portion);
    return portion;
  }
}
