import { aNewSession, anEvent, aRequest, sessionStoreContract, startRedis, type RedisServer } from '@fleet/testing';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { assertDurableRedis } from './durable-redis';
import { RedisProbe } from './redis.probe';
import { RedisStore } from './redis-store';
import { connectStore } from './store-connection';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(async () => {
  await server.stop();
});

let prefix = 0;
const config = (): { url: string; keyPrefix: string } => {
  prefix += 1;
  return { url: server.url, keyPrefix: `t${String(prefix)}` };
};

const quiet = (redis: Redis): Redis => redis.on('error', () => undefined);

sessionStoreContract('RedisStore', (clock) => {
  const { url, keyPrefix } = config();
  const redis = connectStore({ url });
  const store = new RedisStore(redis, keyPrefix, clock);
  return Promise.resolve({
    store,
    close: () => {
      store.close();
      redis.disconnect();
      return Promise.resolve();
    },
  });
});

describe('a list of RedisStore with a filter of several parts', () => {
  const beamlineOf = (index: number): string => (index % 150 === 0 ? 'i24' : 'i04');

  it('finds the few among many, page after page, each once', async () => {
    const { url, keyPrefix } = config();
    const redis = connectStore({ url });
    const store = new RedisStore(redis, keyPrefix);
    const made = Array.from({ length: 700 }, (_, index) =>
      aNewSession({
        createdAt: new Date(Date.UTC(2026, 10, 21, 8, 0, index)).toISOString(),
        request: aRequest({ beamline: beamlineOf(index) }),
      }),
    );
    await Promise.all(made.map((session) => store.records.create(session, [], 1000)));
    // More of them, so that the beamline is not the smallest index.
    const others = Array.from({ length: 800 }, () =>
      aNewSession({ request: aRequest({ proposal: 'mx2', beamline: 'i24' }) }),
    );
    await Promise.all(others.map((session) => store.records.create(session, [], 1000)));
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.index.list({ proposal: 'mx1', beamline: 'i24', status: 'running' }, 2, cursor);
      found.push(...page.sessions.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const wanted = made.filter((_, index) => beamlineOf(index) === 'i24').map(({ id }) => id);
    expect(found).toEqual(wanted.reverse());
    redis.disconnect();
  });
});

describe('RedisStore when Redis fails', () => {
  it('says that the store cannot be reached, and works again when it is back, with everything that was written', async () => {
    const { url, keyPrefix } = config();
    const redis = quiet(connectStore({ url }));
    const store = new RedisStore(redis, keyPrefix);
    const made = aNewSession();
    await store.records.create(made, [anEvent()], 1000);
    await server.kill();
    await expect(store.records.load(made.id)).rejects.toMatchObject({ code: 'store.unreachable', kind: 'transient' });
    await server.restart();
    await expect(store.records.load(made.id)).resolves.toMatchObject({ id: made.id, version: 1 });
    await expect(store.events.waitAfter(made.id, '0', 100)).resolves.toHaveLength(1);
    store.close();
    redis.disconnect();
  });

  it('goes on when Redis has forgotten its scripts', async () => {
    const { url, keyPrefix } = config();
    const redis = connectStore({ url });
    const store = new RedisStore(redis, keyPrefix);
    await store.records.create(aNewSession(), [], 1000);
    await redis.script('FLUSH');
    await expect(store.records.create(aNewSession(), [], 1000)).resolves.toBe('created');
    redis.disconnect();
  });

  it('reports a call that Redis refuses as our mistake, not as a passing one', async () => {
    const { url, keyPrefix } = config();
    const redis = connectStore({ url });
    await redis.set(`${keyPrefix}:programs:local`, 'x');
    await redis.del(`${keyPrefix}:programs:local`);
    await redis.lpush(`${keyPrefix}:programs:local`, 'not a string');
    const store = new RedisStore(redis, keyPrefix);
    await expect(store.catalogues.of('local')).rejects.toMatchObject({ code: 'store.refused', kind: 'bug' });
    redis.disconnect();
  });
});

describe('assertDurableRedis', () => {
  it('accepts a Redis with AOF that never evicts', async () => {
    const redis = new Redis(server.url);
    await expect(assertDurableRedis(redis)).resolves.toBeUndefined();
    await expect(new RedisProbe(redis, 'fleet').check()).resolves.toMatchObject({
      healthy: true,
      detail: { durable: true },
    });
    redis.disconnect();
  });

  it('refuses a Redis that evicts and keeps nothing on disk: names each setting and the command that mends it', async () => {
    const other = await startRedis(['--appendonly', 'no', '--maxmemory-policy', 'allkeys-lru']);
    const redis = new Redis(other.url);
    const refused = assertDurableRedis(redis);
    await expect(refused).rejects.toMatchObject({ code: 'store.not_durable' });
    await expect(refused).rejects.toThrow(/maxmemory-policy is allkeys-lru.*CONFIG SET maxmemory-policy noeviction/);
    await expect(refused).rejects.toThrow(/appendonly is no.*CONFIG SET appendonly yes/);
    await expect(new RedisProbe(redis, 'fleet').check()).resolves.toMatchObject({
      healthy: false,
      detail: { durable: false },
    });
    redis.disconnect();
    await other.stop();
  });

  it('says how full Redis is, and an administrator is told before it is', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const other = await startRedis(['--maxmemory', '40mb']);
    const redis = new Redis(other.url);
    const probe = new RedisProbe(redis, 'fleet');
    const percent = async (): Promise<unknown> => (await probe.check()).detail.memoryPercent;
    await expect(percent()).resolves.toBeLessThan(80);
    expect(warn).not.toHaveBeenCalled();
    for (let mib = 0; mib < 33; mib += 1) await redis.set(`x${String(mib)}`, 'x'.repeat(1000 * 1024));
    await expect(percent()).resolves.toBeGreaterThan(80);
    await percent();
    expect(warn).toHaveBeenCalledTimes(1);
    redis.disconnect();
    await other.stop();
    warn.mockRestore();
  });

  it('does without CONFIG, as managed services forbid it', async () => {
    const other = await startRedis(['--rename-command', 'CONFIG', '']);
    const redis = new Redis(other.url);
    await expect(assertDurableRedis(redis)).resolves.toBeUndefined();
    redis.disconnect();
    await other.stop();
  });
});
