import { rateLimitsContract, startRedis, useStarted } from '@fleet/testing';
import { connectRedis } from '../connect-redis';
import { RedisRateLimits } from './redis-rate-limits';

const server = useStarted('file', () => startRedis());

let prefix = 0;
const fresh = () => {
  prefix += 1;
  const redis = connectRedis({ url: server.url });
  const close = (): Promise<void> => {
    redis.disconnect();
    return Promise.resolve();
  };
  return { made: new RedisRateLimits(redis, `t${String(prefix)}`), redis, prefix: `t${String(prefix)}`, close };
};

rateLimitsContract('RedisRateLimits', () => Promise.resolve(fresh()));

describe('RedisRateLimits', () => {
  it('adds up the requests of two gateways', async () => {
    const { made, redis, prefix: own, close } = fresh();
    const other = new RedisRateLimits(redis, own);
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? made : other).take('requests:ada', 5, 1)),
    );
    expect(taken.reduce((sum, { granted }) => sum + granted, 0)).toBe(5);
    await close();
  });

  it('refills a bucket with time, deletes it when it is full, and starts with full ones after Redis was flushed', async () => {
    const { made, redis, prefix: own, close } = fresh();
    const key = `${own}:access:rate:requests%3Aeve`;
    await made.take('requests:eve', 60, 60);
    expect(await redis.pttl(key)).toBeLessThanOrEqual(61_000);
    const { at = '0' } = await redis.hgetall(key);
    await redis.hset(key, 'at', String(Number(at) - 10_000));
    expect((await made.take('requests:eve', 60, 30)).granted).toBeGreaterThanOrEqual(10);
    await made.charge('requests:eve', 60, 120);
    // A debt does not expire before it is paid.
    expect(await redis.pttl(key)).toBeGreaterThan(120_000);
    await redis.flushall();
    expect((await made.take('requests:eve', 60, 100)).granted).toBe(60);
    await close();
  });
});
