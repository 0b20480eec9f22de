import { Inject, Injectable, Logger } from '@nestjs/common';
import { failureText } from '@fleet/contracts/faults';
import { ruleOf, type Action } from '@fleet/contracts/route';
import { CLOCK, RATE_LIMITS, type Clock, type RateLimits } from '@fleet/ports';
import { ApiError } from '../../http/errors/problem-details';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import { addressBlockOf } from './address-block';

/** A gateway takes at once what a tenth of a second may use, so that few requests ask Redis. */
const portionsPerMinute = 600;
const mostBuckets = 10_000;
/** Milliseconds in which nothing is counted after Redis did not answer: nobody waits for it again and again. */
const uncountedMs = 5_000;
/** Milliseconds in which the log says once of a bucket that it is empty. */
const saidMs = 60_000;

/** A time that lasts from one moment to another. A clock that was put back ends it. */
interface Span {
  readonly from: number;
  readonly until: number;
}
const nothingYet: Span = { from: 0, until: 0 };
const isWithin = ({ from, until }: Span, now: number): boolean => from <= now && now < until;

/** What this gateway has of a bucket. */
interface Portion {
  left: number;
  /** Nobody has any. */
  empty: Span;
  said: Span;
  asking?: Promise<void> | undefined;
}

/** A bucket, and what it holds. */
interface Bucket {
  readonly name: string;
  readonly perMinute: number;
}

/**
 * How often somebody may ask, over all gateways: the requests of a principal, what they submit, and the requests without a valid key of an
 * address. While Redis cannot be asked nothing is counted and nobody is held up.
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
   * Somebody asks for something.
   * @param principal their id; empty: nobody is asked who they are, and nobody is counted
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
   * An address asks for something without a valid key, or begins a login.
   * @throws ApiError `request.too_many`, which is then its answer
   */
  async admitStranger(address: string): Promise<void> {
    const block = addressBlockOf(address);
    const what = (most: string): string => `${block} may make ${most} requests without a valid key`;
    await this.use('refusals', block, this.options.rates.refusalsPerMinute, what);
  }

  /** Rows were added to a batch: how many is known afterwards alone. */
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

  /** Undefined: one was there, or nothing is counted. Otherwise the milliseconds until there is another. */
  private async takeOne(portion: Portion, bucket: Bucket): Promise<number | undefined> {
    for (;;) {
      const now = this.clock.now();
      if (isWithin(this.uncounted, now)) return undefined;
      if (portion.left > 0) {
        portion.left -= 1;
        return undefined;
      }
      if (isWithin(portion.empty, now)) return portion.empty.until - now;
      // Those that come at once ask once.
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
      this.logger.warn({ message: 'requests cannot be counted; nobody is held up', reason: failureText(error) });
    this.uncounted = { from: now, until: now + uncountedMs };
  }

  private say(portion: Portion, allowed: string): void {
    const now = this.clock.now();
    if (isWithin(portion.said, now)) return;
    portion.said = { from: now, until: now + saidMs };
    this.logger.warn(`somebody asks too often and is told to come later: ${allowed}`);
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
