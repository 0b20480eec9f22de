import { checkedBatchMs } from '@fleet/contracts';
import { aBatch, ManualClock, rows, startRedis, type RedisServer } from '@fleet/testing';
import type { Redis } from 'ioredis';
import { MemoryStore } from '../memory/memory-store';
import { RedisStore } from '../redis-store';
import { connectStore } from '../store-connection';

describe('batches that only check their rows', () => {
  let server: RedisServer;
  let redis: Redis;
  let store: RedisStore;
  beforeAll(async () => {
    server = await startRedis();
    redis = connectStore({ url: server.url });
    store = new RedisStore(redis, 'c');
  });
  afterAll(async () => {
    store.close();
    redis.disconnect();
    await server.stop();
  });

  /** Of each key of a batch how long it is kept. */
  const kept = async (id: string): Promise<readonly number[]> =>
    Promise.all((await redis.keys(`c:b:${id}*`)).map((key) => redis.pttl(key)));

  it('end by themselves in Redis, with all of their keys, and others do not', async () => {
    const { batches } = store;
    const [batch, other] = [aBatch({ start: 'never' }), aBatch({ start: 'together' })];
    for (const one of [batch, other]) await batches.create(one);
    const ends = async (): Promise<void> => {
      const all = await kept(batch.id);
      expect(all.filter((ms) => ms <= checkedBatchMs - 60_000 || ms > checkedBatchMs)).toEqual([]);
      expect(all.length).toBeGreaterThan(0);
    };
    await ends();
    const changes: (() => Promise<unknown>)[] = [
      () => batches.addRows(batch.id, rows('a', 'b'), 10),
      () => batches.complete(batch.id),
      () => batches.settle(batch.id, { row: 1, run: 0 }, { verdict: 'checked' }),
      () => batches.runAgain(batch.id, [{ row: 1, run: 0 }]),
      () => batches.finish(batch.id, [1, 2]),
      () => batches.setStatus(batch.id, 'cancelled'),
    ];
    for (const change of changes) {
      await change();
      await ends();
    }
    await batches.addRows(other.id, rows('a'), 10);
    expect(new Set(await kept(other.id))).toEqual(new Set([-1]));
  });

  it('hold nobody up when they end with rows that are due', async () => {
    const { batches } = store;
    const [batch, other] = [aBatch({ start: 'never' }), aBatch()];
    await redis.flushdb();
    for (const one of [batch, other]) {
      await batches.create(one);
      await batches.addRows(one.id, rows('a'), 10);
    }
    await redis.del(`c:b:${batch.id}`);
    expect((await batches.claim(10, 60_000))?.batch.id).toBe(other.id);
    await expect(batches.claim(10, 60_000)).resolves.toBeUndefined();
    await expect(redis.exists(`c:b:${batch.id}:due`)).resolves.toBe(0);
  });

  it('end by themselves in memory', async () => {
    const clock = new ManualClock();
    const { batches } = new MemoryStore(clock);
    const batch = aBatch({ start: 'never' });
    await batches.create(batch);
    clock.forward(checkedBatchMs - 1);
    await batches.addRows(batch.id, rows('a'), 10);
    clock.forward(checkedBatchMs - 1);
    await expect(batches.load(batch.id)).resolves.toBeDefined();
    clock.forward(1);
    await expect(batches.claim(10, 1000)).resolves.toBeUndefined();
    await expect(batches.load(batch.id)).resolves.toBeUndefined();
    await expect(batches.create(batch)).resolves.toBe('created');
  });
});
