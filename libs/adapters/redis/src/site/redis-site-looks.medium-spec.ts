import { siteLooksContract, startRedis, type RedisServer } from '@fleet/testing';
import type { Redis } from 'ioredis';
import { connectRedis } from '../connect-redis';
import { RedisSiteLooks } from './redis-site-looks';

let server: RedisServer;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis();
  redis = connectRedis({ url: server.url });
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
