import { accessKeysContract, aKey, startRedis, type RedisServer } from '@fleet/testing';
import { connectStore } from '../store-connection';
import { RedisAccessKeys } from './redis-access-keys';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(async () => {
  await server.stop();
});

let prefix = 0;
const fresh = () => {
  prefix += 1;
  const redis = connectStore({ url: server.url });
  const close = (): Promise<void> => {
    redis.disconnect();
    return Promise.resolve();
  };
  return { made: new RedisAccessKeys(redis, `t${String(prefix)}`), redis, prefix: `t${String(prefix)}`, close };
};

accessKeysContract('RedisAccessKeys', () => Promise.resolve(fresh()));

describe('RedisAccessKeys', () => {
  it('opens nothing with a key whose record is damaged', async () => {
    const { made, redis, prefix: own, close } = fresh();
    await made.create(aKey());
    await redis.hset(`${own}:access:keys`, aKey().id, JSON.stringify({ ...aKey(), role: 'root' }));
    await expect(made.find(aKey().id)).rejects.toMatchObject({ code: 'key.damaged' });
    await close();
  });

  it('remembers when a key was used', async () => {
    const { made, close } = fresh();
    await made.used('a', '2026-11-22T08:00:00.000Z');
    expect(await made.lastUses()).toEqual({ a: '2026-11-22T08:00:00.000Z' });
    await close();
  });
});
