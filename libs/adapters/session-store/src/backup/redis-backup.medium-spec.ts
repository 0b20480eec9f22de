import { setTimeout as pause } from 'node:timers/promises';
import { startRedis, type RedisServer } from '@fleet/testing';
import type { Redis } from 'ioredis';
import { connectStore } from '../store-connection';
import { RedisBackup } from './redis-backup';

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

const fill = async (keys: number): Promise<void> => {
  await redis.mset(Object.fromEntries(Array.from({ length: keys }, (_, key) => [`fleet:${String(key)}`, 'x'])));
};

/** All keys of a snapshot; whoever reads it waits once, after the first one. */
const read = async (backup: RedisBackup, waitMs = 0): Promise<number> => {
  let keys = 0;
  for await (const { key } of backup.snapshot()) {
    if (keys === 0) await pause(waitMs);
    keys += Number(key !== '');
  }
  return keys;
};

describe('a snapshot', () => {
  it('is refused where its reader was so slow that writes went on, which they do then', async () => {
    await fill(500);
    await expect(read(new RedisBackup(redis, 'fleet', 200), 400)).rejects.toMatchObject({
      code: 'backup.not_one_moment',
      kind: 'transient',
      message: expect.stringContaining('try again') as string,
    });
    await expect(redis.set('fleet:0', 'y')).resolves.toBe('OK');
    await expect(read(new RedisBackup(redis, 'fleet'), 400)).resolves.toBe(500);
  });

  it('is refused where Redis answered so late that writes went on', async () => {
    await fill(10);
    const slow = Object.create(redis) as Redis;
    slow.type = async (key) => {
      // oxlint-disable-next-line fleet/steady-tests -- an answer that comes later than the 200 ms below
      await pause(400);
      return redis.type(key);
    };
    await expect(read(new RedisBackup(slow, 'fleet', 200))).rejects.toMatchObject({ code: 'backup.not_one_moment' });
  });

  it('holds writes also while names are looked for', async () => {
    await fill(10_000);
    const pauses = async (): Promise<number> =>
      Number(/client\|pause:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);
    const before = await pauses();
    await expect(read(new RedisBackup(redis, 'fleet'))).resolves.toBe(10_000);
    const ofGroups = 10_000 / 200;
    // SCAN has answered ten times.
    expect((await pauses()) - before).toBeGreaterThanOrEqual(1 + 10 + ofGroups);
  });
});
