import { aNewSession, eventually, ManualClock, startRedis, type RedisServer } from '@fleet/testing';
import type { Redis } from 'ioredis';
import { RedisClock } from './redis-clock';
import { RedisStore } from './redis-store';
import { connectStore } from './store-connection';

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

/** The clock of a machine that is an hour ahead. */
const ahead = new ManualClock(Date.now() + 3_600_000);

describe('deadlines by the time of Redis', () => {
  it('are the same on a machine whose clock is an hour ahead', async () => {
    const clocks = [new RedisClock(redis), new RedisClock(redis)];
    await Promise.all(clocks.map((clock) => clock.measure()));
    const [here, there] = [
      new RedisStore(redis, 'skew', undefined, clocks[0]),
      new RedisStore(redis, 'skew', ahead, clocks[1]),
    ];
    const made = aNewSession();
    await here.records.create(made, [], 15_000);
    await expect(there.schedule.overdue(10)).resolves.toEqual([]);
    await expect(there.schedule.unacknowledged(1_000, 10)).resolves.toEqual([]);
    await there.schedule.postpone(made.id, 1, 0, true);
    // The two clocks may be some milliseconds apart.
    await eventually('it is due here', async () => (await here.schedule.overdue(10)).length === 1);
    await eventually('nobody has it', async () => (await here.schedule.unacknowledged(0, 10)).length === 1);
    for (const clock of clocks) clock.close();
  });

  it('go on by a clock that nobody sets, and are measured anew', async () => {
    let elapsed = 0;
    const clock = new RedisClock(redis, () => elapsed);
    const before = Date.now();
    /** Between the time before and now; half of a slow answer's way may be missing. */
    const isRight = (time: number): boolean => time > before - 60_000 && time < Date.now() + 60_000;
    await clock.measure();
    const begin = clock.now();
    expect(isRight(begin)).toBe(true);
    elapsed += 5_000_000;
    expect(clock.now()).toBe(begin + 5_000_000);
    await clock.measure();
    expect(isRight(clock.now())).toBe(true);
    clock.close();
  });

  it('do not believe an answer that took too long', async () => {
    let elapsed = 0;
    const clock = new RedisClock(redis, () => elapsed);
    await clock.measure();
    const slow = clock.measure();
    elapsed += 10_000;
    const before = clock.now();
    await slow;
    expect(clock.now()).toBe(before);
    clock.close();
  });
});
