import { aNewSession, aRequest, startRedis, type RedisServer } from '@fleet/testing';
import type { Redis } from 'ioredis';
import { connectStore, RedisStore } from '../index';

let server: RedisServer;
let redis: Redis;
let store: RedisStore;

beforeAll(async () => {
  server = await startRedis();
  redis = connectStore({ url: server.url });
});

beforeEach(async () => {
  await redis.flushdb();
  store = new RedisStore(redis, 'p');
});

afterEach(() => {
  store.close();
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const place = { status: 'completed', stage: 'analysing', cycle: 1, attempt: 1, cycles: [] } as const;
const resume = { ...place, stop: { reason: 'converged', detail: 'x', afterCycle: 1 } } as const;

/** As an older release leaves sessions: in none of the newer indexes. */
const older = async (count: number): Promise<void> => {
  for (let number = 0; number < count; number += 1) {
    const request = aRequest({ submitter: 'jo', batch: 'b-1' });
    await store.records.create(aNewSession({ request, ...(number % 2 === 0 && { resume }) }), [], 1000);
  }
  await redis.del('p:i:outcome:solved', 'p:i:submitter:jo', 'p:i:batch:b-1');
};

const fileAll = async (filing: RedisStore['filing']): Promise<number> => {
  let seen = 0;
  for (;;) {
    const looked = await filing.look();
    if (looked === 0) return seen;
    seen += looked;
  }
};

describe('filing sessions of an older release', () => {
  it('puts each under its outcome, submitter and batch, page after page, however many workers do it', async () => {
    await older(450);
    expect((await store.index.list({ submitter: 'jo' }, 500)).sessions).toEqual([]);
    const beside = new RedisStore(redis, 'p');
    await Promise.all([fileAll(store.filing), fileAll(beside.filing)]);
    beside.close();
    expect((await store.index.list({ submitter: 'jo' }, 500)).sessions).toHaveLength(450);
    expect((await store.index.list({ outcome: 'solved' }, 500)).sessions).toHaveLength(225);
    await expect(store.index.count({ batch: 'b-1', status: 'running' })).resolves.toBe(225);
  });

  it('is done once, and begins again after a day', async () => {
    await older(3);
    await expect(fileAll(store.filing)).resolves.toBe(3);
    await expect(store.filing.look()).resolves.toBe(0);
    await redis.set('p:filed', `done ${String(Date.now() - 90_000_000)}`);
    await expect(fileAll(store.filing)).resolves.toBe(3);
  });

  it('takes a session out of an outcome in which an older release has left it', async () => {
    const made = aNewSession({ resume });
    await store.records.create(made, [], 1000);
    const [listed = ''] = await redis.zrange('p:i:outcome:solved', '0', '-1');
    await redis.zadd('p:i:outcome:cancelled', '0', listed);
    await fileAll(store.filing);
    await expect(store.index.count({ outcome: 'cancelled' })).resolves.toBe(0);
    await expect(store.index.count({ outcome: 'solved' })).resolves.toBe(1);
  });

  it('passes over a record that cannot be read', async () => {
    await older(3);
    const damaged = aNewSession({ request: aRequest({ submitter: 'jo' }) });
    await store.records.create(damaged, [], 1000);
    await redis.hset(`p:s:${damaged.id}`, { row: '{' });
    await expect(fileAll(store.filing)).resolves.toBe(4);
    expect((await store.index.list({ submitter: 'jo' }, 500)).sessions).toHaveLength(3);
  });
});
