import { loginStoreContract, startRedis, type RedisServer } from '@fleet/testing';
import type { Redis } from 'ioredis';
import { connectRedis } from '../connect-redis';
import { RedisLoginStore } from './redis-login-store';

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

loginStoreContract('RedisLoginStore', () => new RedisLoginStore(redis, 'fleet'));
