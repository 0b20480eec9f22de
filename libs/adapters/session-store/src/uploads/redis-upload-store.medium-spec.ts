import { anUpload, startRedis, uploadStoreContract, type RedisServer } from '@fleet/testing';
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

it.each([
  ['a file elsewhere', { file: '../../etc/passwd' }],
  ['a file of another', { file: `${'0'.repeat(32)}.0123abcd.data.mtz` }],
  ['a name that is a path', { name: '../data.mtz' }],
  ['a proposal that is a path', { proposal: '..' }],
  ['another id', { id: '0'.repeat(32) }],
])('RedisUploadStore takes no record with %s', async (_, forged) => {
  const store = new RedisUploadStore(redis, 'fleet');
  const upload = anUpload();
  await store.add(upload, 60_000, 1e12);
  await redis.hset(`fleet:uploads:${upload.id}`, 'upload', JSON.stringify({ ...upload, ...forged }));
  expect(await store.find(upload.id)).toBeUndefined();
});
