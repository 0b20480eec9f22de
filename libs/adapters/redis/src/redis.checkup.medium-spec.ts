import type { Finding } from '@fleet/contracts/administration';
import { startRedis } from '@fleet/testing';
import { Redis } from 'ioredis';
import { RedisCheckup } from './redis.checkup';

/** The findings of the checkup for a Redis with these settings, by check. */
const foundIn = async (
  settings: readonly string[] = [],
  before: (redis: Redis) => Promise<unknown> = () => Promise.resolve(),
): Promise<ReadonlyMap<string, Finding>> => {
  const server = await startRedis(settings);
  const redis = new Redis(server.url.replace('127.0.0.1', 'localhost'));
  try {
    await before(redis);
    return new Map((await new RedisCheckup(redis).check()).map((one) => [one.check, one]));
  } finally {
    redis.disconnect();
    await server.stop();
  }
};

describe('the checkup of Redis', () => {
  it('finds no problem with a correct configuration', async () => {
    const found = await foundIn();
    expect([...found.keys()].sort()).toEqual([
      'redis.clock',
      'redis.eviction',
      'redis.latency',
      'redis.memory',
      'redis.name',
      'redis.version',
    ]);
    // A busy machine responds late.
    const wrong = [...found.values()].filter(({ check, level }) => level !== 'ok' && !/latency|name/.test(check));
    expect(wrong).toEqual([]);
    expect(found.get('redis.eviction')).toEqual({
      check: 'redis.eviction',
      level: 'ok',
      seen: 'maxmemory-policy is noeviction.',
    });
  });

  it('reports one that evicts, with the fix; disk persistence is not required', async () => {
    const found = await foundIn(['--appendonly', 'no', '--maxmemory-policy', 'allkeys-lru']);
    expect(found.get('redis.eviction')).toEqual({
      check: 'redis.eviction',
      level: 'error',
      seen: 'maxmemory-policy is allkeys-lru.',
      why: 'Redis would evict queued steps when its memory is full.',
      remedy: 'Fix it with: redis-cli CONFIG SET maxmemory-policy noeviction (and in redis.conf, so that it stays).',
    });
    expect([...found.values()].filter(({ level }) => level === 'error').map(({ check }) => check)).toEqual([
      'redis.eviction',
    ]);
  });

  it('reports one that is nearly full', async () => {
    const found = await foundIn([], async (redis) => {
      await redis.set('filler', 'x'.repeat(20 * 2 ** 20));
      await redis.config('SET', 'maxmemory', '23mb');
    });
    expect(['warning', 'error']).toContain(found.get('redis.memory')?.level);
  });
});
