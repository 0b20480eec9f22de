import { startRedis, uploadStoreContract, type RedisServer } from '@fleet/testing';
import type { Redis } from 'ioredis';
import { connectStore } from '../store-connection';
import { RedisUploadStore } from './redis-upload-store';

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

uploadStoreContract('RedisUploadStore', () => new RedisUploadStore(redis, 'fleet'));
