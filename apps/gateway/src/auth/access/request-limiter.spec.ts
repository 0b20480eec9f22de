import { ManualClock } from '@fleet/testing';
import type { RateLimits, Taken } from '@fleet/ports';
import { MemoryRateLimits } from '@fleet/redis';
import type { ApiError } from '../../http/errors/problem-details';
import type { Rates } from '../../http/gateway-options';
import { RequestLimiter } from './request-limiter';

/** Buckets that count their calls, and can be unreachable. */
class WatchedBuckets implements RateLimits {
  asked = 0;
  isAway = false;
  private readonly buckets: MemoryRateLimits;

  constructor(clock: ManualClock) {
    this.buckets = new MemoryRateLimits(() => clock.now());
  }

  take(bucket: string, perMinute: number, wanted: number): Promise<Taken> {
    this.asked += 1;
    return this.isAway ? Promise.reject(new Error('away')) : this.buckets.take(bucket, perMinute, wanted);
  }

  charge(bucket: string, perMinute: number, used: number): Promise<void> {
    this.asked += 1;
    return this.isAway ? Promise.reject(new Error('away')) : this.buckets.charge(bucket, perMinute, used);
  }
}

describe('RequestLimiter', () => {
  let clock: ManualClock;
  let buckets: WatchedBuckets;
  beforeEach(() => {
    clock = new ManualClock();
    buckets = new WatchedBuckets(clock);
  });
  const limiter = (rates: Partial<Rates>): RequestLimiter => {
    const none = { requestsPerMinute: 0, submissionsPerMinute: 0, refusalsPerMinute: 0 };
    return new RequestLimiter(buckets, { rates: { ...none, ...rates } }, clock);
  };
  const asks = (one: RequestLimiter, who = 'ada'): Promise<void> => one.admit(who, 'session.read');
  const admitted = async (requests: readonly Promise<void>[]): Promise<number> =>
    (await Promise.allSettled(requests)).filter(({ status }) => status === 'fulfilled').length;
  const many = (count: number, ask: () => Promise<void>): readonly Promise<void>[] =>
    Array.from({ length: count }, ask);
  const refusal = (request: Promise<void>): Promise<unknown> => request.catch((error: unknown) => error);

  it('admits what a minute allows, over all gateways, one at a time or all at once', async () => {
    const [one, other] = [limiter({ requestsPerMinute: 100 }), limiter({ requestsPerMinute: 100 })];
    expect(await admitted([...many(80, () => asks(one)), ...many(80, () => asks(other))])).toBe(100);
    expect(await admitted(many(5, () => asks(one, 'bob')))).toBe(5);
    clock.forward(30_000);
    expect(await admitted([...many(40, () => asks(one)), ...many(40, () => asks(other))])).toBe(50);
  });

  it('admits a thousand pollers behind one key every five seconds, with one Redis call for a hundred of them', async () => {
    const one = limiter({ requestsPerMinute: 60_000 });
    for (let round = 0; round < 12; round += 1) {
      expect(await admitted(many(1000, () => asks(one)))).toBe(1000);
      clock.forward(5_000);
    }
    expect(buckets.asked).toBe(120);
  });

  it('reports when to retry, and does not call Redis until then', async () => {
    const one = limiter({ requestsPerMinute: 30 });
    await admitted(many(30, () => asks(one)));
    const refused = (await refusal(asks(one))) as ApiError;
    expect([refused.code, refused.limit]).toEqual([
      'request.too_many',
      { policy: 'requests', perMinute: 30, retryAfterS: 2 },
    ]);
    expect(refused.message).toBe('ada may make 30 requests in a minute. Try again in 2 s.');
    const { asked } = buckets;
    clock.forward(1_000);
    expect(((await refusal(asks(one))) as ApiError).limit?.retryAfterS).toBe(1);
    expect(buckets.asked).toBe(asked);
    clock.forward(1_000);
    await asks(one);
    expect(buckets.asked).toBe(asked + 1);
  });

  it('counts submissions separately as well, including rows of batches once they are known', async () => {
    const one = limiter({ submissionsPerMinute: 10 });
    const submits = (): Promise<void> => one.admit('ada', 'session.submit');
    expect(await admitted(many(8, submits))).toBe(8);
    await one.chargeSubmissions('ada', 12);
    expect(((await refusal(one.admit('ada', 'batch.submit'))) as ApiError).limit).toEqual({
      policy: 'submissions',
      perMinute: 10,
      retryAfterS: 66,
    });
    await asks(one);
    clock.forward(66_000);
    await submits();
  });

  it('counts nothing with open access, or without a limit', async () => {
    expect(await admitted(many(50, () => asks(limiter({ requestsPerMinute: 1 }), '')))).toBe(50);
    expect(await admitted(many(50, () => asks(limiter({}))))).toBe(50);
    await limiter({}).chargeSubmissions('ada', 10_000);
    expect(buckets.asked).toBe(0);
  });

  it('does not block while Redis is unreachable, does not wait for it each time, and counts again when it is back', async () => {
    buckets.isAway = true;
    const one = limiter({ requestsPerMinute: 1, submissionsPerMinute: 1 });
    expect(await admitted(many(50, () => asks(one)))).toBe(50);
    await one.chargeSubmissions('ada', 5);
    expect(buckets.asked).toBe(2);
    buckets.isAway = false;
    clock.forward(5_000);
    expect(await admitted(many(50, () => asks(one)))).toBe(1);
  });

  it('rejects no caller for longer because the clock was set back', async () => {
    const one = limiter({ requestsPerMinute: 1 });
    await asks(one);
    await refusal(asks(one));
    clock.forward(-3_600_000);
    const { asked } = buckets;
    await refusal(asks(one));
    expect(buckets.asked).toBe(asked + 1);
  });

  it('limits how often an IP address, or an IPv6 network, may send invalid keys', async () => {
    const one = limiter({ refusalsPerMinute: 3 });
    expect(await admitted(many(9, () => one.admitStranger('10.0.0.1')))).toBe(3);
    expect(await admitted(many(3, () => one.admitStranger('10.0.0.2')))).toBe(3);
    let host = 0;
    const next = (): Promise<void> => one.admitStranger(`2001:db8::${(host += 1).toString(16)}`);
    expect(await admitted(many(9, next))).toBe(3);
  });
});
