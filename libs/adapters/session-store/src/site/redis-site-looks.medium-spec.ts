import { siteLooksContract, startRedis, type RedisServer } from '@fleet/testing';
import type { Redis } from 'ioredis';
import { connectStore } from '../store-connection';
import { RedisSiteLooks } from './redis-site-looks';

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

siteLooksContract('RedisSiteLooks', () =>
  Promise.resolve({
    looks: new RedisSiteLooks(redis, 'fleet'),
    pass: async (ms) => {
      for (const field of ['asked', 'until']) {
        const at = await redis.hget('fleet:doctor:trial', field);
        if (at !== null) await redis.hset('fleet:doctor:trial', field, String(Number(at) - ms));
      }
    },
  }),
);
