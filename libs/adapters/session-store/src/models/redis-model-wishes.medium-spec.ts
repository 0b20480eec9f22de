import { anId, modelWishesContract, startRedis, type RedisServer } from '@fleet/testing';
import type { Redis } from 'ioredis';
import { connectStore } from '../store-connection';
import { RedisModelWishes } from './redis-model-wishes';

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

const aSession = async (): Promise<string> => {
  const id = anId();
  await redis.hset(`fleet:s:${id}`, 'state', 'running deciding 1 1 1 0');
  return id;
};

modelWishesContract('RedisModelWishes', () =>
  Promise.resolve({
    wishes: new RedisModelWishes(redis, 'fleet'),
    aSession,
    pass: async (session, ms) => {
      await redis.zincrby('fleet:models:wishes:due', -ms, session);
    },
  }),
);

it('RedisModelWishes takes no wish for a session that is archived, or that is not there', async () => {
  const wishes = new RedisModelWishes(redis, 'fleet');
  const id = await aSession();
  await redis.hset(`fleet:s:${id}`, 'archived', '{}');
  expect([await wishes.ask({ session: id }, 1), await wishes.ask({ session: anId() }, 1)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(await redis.keys('fleet:models:*')).toEqual([]);
});
