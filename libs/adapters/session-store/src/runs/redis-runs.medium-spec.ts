import { attemptName, attemptOfName } from '@fleet/contracts';
import { claimantOf, nextToLaunch, type SharedRun } from '@fleet/fair-shares';
import type { Clock } from '@fleet/ports';
import {
  aLaunchPolicy,
  anId,
  aSharedRun,
  launchControlContract,
  orphanRegisterContract,
  runSlotsContract,
  sharesControlContract,
  startRedis,
  type Made,
  type RedisServer,
} from '@fleet/testing';
import type { Redis } from 'ioredis';
import { connectStore } from '../store-connection';
import { RedisLaunchControl } from './redis-launch-control';
import { RedisOrphanRegister } from './redis-orphan-register';
import { RedisRunSlots } from './redis-run-slots';
import { RedisSharesControl } from './redis-shares-control';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(async () => {
  await server.stop();
});

let prefix = 0;
/** One of each test's own, behind its own prefix. */
const fresh =
  <T>(Kind: new (redis: Redis, prefix: string, clock: Clock) => T) =>
  (clock: Clock): Promise<Made<T>> => {
    prefix += 1;
    const redis = connectStore({ url: server.url });
    const made = new Kind(redis, `t${String(prefix)}`, clock);
    const close = (): Promise<void> => {
      redis.disconnect();
      return Promise.resolve();
    };
    return Promise.resolve({ made, close });
  };

runSlotsContract('RedisRunSlots', fresh(RedisRunSlots));
launchControlContract('RedisLaunchControl', fresh(RedisLaunchControl));
orphanRegisterContract('RedisOrphanRegister', fresh(RedisOrphanRegister));

sharesControlContract('RedisSharesControl', fresh(RedisSharesControl));

const policy = aLaunchPolicy({ maxRunning: 20 });
const someRuns = (count: number, of = 'mx1'): readonly SharedRun[] =>
  Array.from({ length: count }, (_, index) =>
    aSharedRun(attemptName(anId(), 1, 1), { proposal: of, submittedAt: index }),
  );

it('two executors share the places of RedisRunSlots', async () => {
  const redis = [connectStore({ url: server.url }), connectStore({ url: server.url })];
  const executors = redis.map((one) => new RedisRunSlots(one, 'shared'));
  await executors[0]!.counted(policy.site);
  const asked = someRuns(100).map((run, index) => executors[index % 2]!.ask(claimantOf(run, policy), 60_000));
  expect((await Promise.all(asked)).filter((answer) => answer.taken)).toHaveLength(20);
  for (const one of redis) one.disconnect();
});

it('a session whose run is granted a place is due at once, and one that is gone is not', async () => {
  const redis = connectStore({ url: server.url });
  const slots = new RedisRunSlots(redis, 'woken');
  await slots.counted(policy.site);
  const [first, second] = someRuns(2);
  for (const run of [first!, second!]) await slots.waiting(run, 'held');
  const [id, gone] = [first!, second!].map((run) => attemptOfName(run.name)!.sessionId);
  await redis.zadd('woken:due', Date.now() + 60_000, id!);
  const { census, waiters, revision } = await slots.line();
  await expect(slots.grant(nextToLaunch(census, waiters, policy).start, revision)).resolves.toHaveLength(2);
  expect(Number(await redis.zscore('woken:due', id!))).toBeLessThanOrEqual(Date.now() + 1000);
  expect(await redis.zscore('woken:due', gone!)).toBeNull();
  redis.disconnect();
});

it('counts that somebody has broken are right again after a count', async () => {
  const redis = connectStore({ url: server.url });
  const slots = new RedisRunSlots(redis, 'broken');
  await slots.counted(policy.site);
  for (const run of someRuns(3)) await slots.ask(claimantOf(run, policy), 60_000);
  await redis.hset('broken:slots:counts', 'all', 40);
  await slots.counted(policy.site);
  expect((await slots.census()).taken).toMatchObject({ all: 3, 'proposal:mx1': 3 });
  redis.disconnect();
});
