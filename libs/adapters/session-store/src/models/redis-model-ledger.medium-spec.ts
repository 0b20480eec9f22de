import { setTimeout as pause } from 'node:timers/promises';
import { modelLedgerContract, startRedis, type RedisServer } from '@fleet/testing';
import type { Redis } from 'ioredis';
import { connectStore } from '../store-connection';
import { RedisModelLedger } from './redis-model-ledger';

let server: RedisServer;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis();
  redis = connectStore({ url: server.url });
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
afterEach(() => redis.flushall());

const work = { session: 's1', proposal: 'mx1', name: 'c003-plan' };

modelLedgerContract('RedisModelLedger', () => {
  const ledgers = { one: new RedisModelLedger(redis, 'fleet'), other: new RedisModelLedger(redis, 'fleet') };
  const silence = async (): Promise<void> => {
    await redis.del('fleet:m:s1:c003-plan');
  };
  return Promise.resolve({ ...ledgers, silence });
});

describe('RedisModelLedger', () => {
  it('gives a work on when its worker has been silent for its time, and not as long as it is heard of', async () => {
    const one = new RedisModelLedger(redis, 'fleet');
    await one.hold(work);
    expect(await redis.pttl('fleet:m:s1:c003-plan')).toBeGreaterThan(5_000);
    const [short, other] = [new RedisModelLedger(redis, 'other', 50), new RedisModelLedger(redis, 'other')];
    await short.hold(work);
    while (!(await other.hold(work))) await pause(10);
    expect(await short.renew(work)).toBe(false);
  });

  it('lets one of twenty workers have a work', async () => {
    const workers = Array.from({ length: 20 }, () => new RedisModelLedger(redis, 'fleet'));
    const held = await Promise.all(workers.map((worker) => worker.hold(work)));
    expect(held.filter((one) => one)).toHaveLength(1);
  });

  it('counts a day by the clock of Redis, and forgets it after some more', async () => {
    const ledger = new RedisModelLedger(redis, 'fleet');
    await ledger.hold(work);
    const asked = { target: 'site', model: 'qwen3', prompt: 'plan 1', hash: 'ab', at: '' };
    const reserved = await ledger.reserve(work, asked, { requests: 1, tokens: 9, cost: 0 }, {});
    const day = Math.floor(Number((await redis.time())[0]) / 86_400);
    expect(reserved).toEqual({ number: 1, day });
    expect(await redis.hgetall(`fleet:models:day:${String(day)}`)).toEqual({
      'spent:requests': '1',
      'spent:tokens': '9',
      'spent:cost': '0',
    });
    expect(await redis.ttl(`fleet:models:day:${String(day)}`)).toBeGreaterThan(86_400);
  });
});
