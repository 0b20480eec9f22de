import type { Clock } from '@fleet/ports';
import {
  launchControlContract,
  orphanRegisterContract,
  runSlotsContract,
  startRedis,
  type Made,
  type RedisServer,
} from '@fleet/testing';
import type { Redis } from 'ioredis';
import { connectStore } from '../store-connection';
import { RedisLaunchControl } from './redis-launch-control';
import { RedisOrphanRegister } from './redis-orphan-register';
import { RedisRunSlots } from './redis-run-slots';

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

it('two executors share the places of RedisRunSlots', async () => {
  const redis = [connectStore({ url: server.url }), connectStore({ url: server.url })];
  const executors = redis.map((one) => new RedisRunSlots(one, 'shared'));
  const claims = [{ key: 'all', limit: 20 }];
  const asked = Array.from({ length: 100 }, (_, index) => executors[index % 2]!.take(`run${String(index)}`, claims));
  expect((await Promise.all(asked)).filter(({ taken }) => taken)).toHaveLength(20);
  for (const one of redis) one.disconnect();
});
