import type { SessionHead } from '@fleet/contracts';
import { aCycle, aNewSession, anEvent, ManualClock, startRedis, type RedisServer } from '@fleet/testing';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { RedisStore } from './redis-store';
import { connectStore } from './store-connection';

let server: RedisServer;
let redis: Redis;
beforeAll(async () => {
  Logger.overrideLogger(false);
  server = await startRedis();
  redis = connectStore({ url: server.url });
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

let prefix = 0;
const clock = new ManualClock();

describe('a record that cannot be read', () => {
  let store: RedisStore;
  let key: (id: string) => string;
  beforeEach(() => {
    prefix += 1;
    const name = `d${String(prefix)}`;
    key = (id) => `${name}:s:${id}`;
    store = new RedisStore(redis, name, clock);
  });

  const submit = async (): Promise<string> => {
    const made = aNewSession({ createdAt: new Date(clock.now()).toISOString() });
    await store.records.create(made, [anEvent()], 1000);
    return made.id;
  };
  const idsOf = (heads: readonly Pick<SessionHead, 'id'>[]): readonly string[] => heads.map(({ id }) => id);

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['a row that is not JSON', (id) => redis.hset(key(id), 'row', '{"folder":')],
    ['no row', (id) => redis.hdel(key(id), 'row')],
    ['no state', (id) => redis.hdel(key(id), 'state')],
    ['another state', (id) => redis.hset(key(id), 'state', 'running')],
    ['another type', async (id) => [await redis.del(key(id)), await redis.rpush(key(id), 'x')]],
  ])('with %s stops neither the sweeper nor a list', async (_, damage) => {
    const [bad, good] = [await submit(), await submit()];
    await damage(bad);
    clock.forward(2000);
    expect(idsOf(await store.schedule.unacknowledged(500, 10, 1000))).toEqual([good]);
    expect(idsOf(await store.schedule.overdue(10, 1000))).toEqual([good]);
    expect(idsOf((await store.index.list({}, 10)).sessions)).toEqual([good]);
    expect(idsOf((await store.index.list({ proposal: 'mx1', beamline: 'i04' }, 10)).sessions)).toEqual([good]);
  });

  it('does not stand before the others for ever', async () => {
    const bad = await Promise.all(Array.from({ length: 20 }, submit));
    for (const id of bad) await redis.hset(key(id), 'row', 'x');
    clock.forward(1);
    const good = await submit();
    clock.forward(2000);
    const seen: string[] = [];
    for (let sweep = 0; sweep < 5; sweep += 1) {
      seen.push(
        ...idsOf(await store.schedule.unacknowledged(500, 5, 1000)),
        ...idsOf(await store.schedule.overdue(5, 1000)),
      );
      clock.forward(100);
    }
    expect(seen).toEqual([good, good]);
  });

  it('is called damaged where it is asked for, with the field, and not a store that is away', async () => {
    const id = await submit();
    const to = { stage: 'executing', cycle: 1, attempt: 1 } as const;
    await store.records.advance({
      sessionId: id,
      fromVersion: 1,
      to,
      cycleRecord: aCycle(),
      events: [],
      dueInMs: 1000,
    });
    await redis.hset(key(id), 'c:1', '{');
    await expect(store.records.load(id)).rejects.toMatchObject({
      code: 'session.damaged',
      kind: 'bug',
      message: `the record of session ${id} is damaged: c:1 is not JSON`,
    });
    await expect(store.records.loadHead(id)).resolves.toMatchObject({ id, version: 2 });
    await redis.hset(key(id), 'state', 'x');
    await expect(store.records.loadHead(id)).rejects.toMatchObject({ code: 'session.damaged', kind: 'bug' });
  });

  it('that is gone is waited for no more, and can be made again', async () => {
    const made = aNewSession();
    await store.records.create(made, [], 1000);
    await redis.del(key(made.id));
    clock.forward(2000);
    await expect(store.schedule.unacknowledged(500, 10)).resolves.toEqual([]);
    await expect(redis.zcard(`d${String(prefix)}:outbox`)).resolves.toBe(0);
    await expect(redis.zcard(`d${String(prefix)}:due`)).resolves.toBe(0);
    await expect(store.records.create(made, [], 1000)).resolves.toBe('created');
    clock.forward(2000);
    expect(idsOf(await store.schedule.overdue(10))).toEqual([made.id]);
  });

  it('can still be ended where it only does not know its place in the lists, its trail written once', async () => {
    const id = await submit();
    await redis.hdel(key(id), 'listed');
    const ended = { reason: 'error', detail: 'x', afterCycle: 0 } as const;
    const moved = await store.records.advance({ sessionId: id, fromVersion: 1, to: { ended }, events: [], dueInMs: 1 });
    expect(moved).toMatchObject({ applied: true, head: { status: 'failed' } });
    await expect(store.events.transitions(id)).resolves.toHaveLength(1);
  });

  it('of a newer release is given as it is, words after the seventh left alone', async () => {
    const id = await submit();
    const state = String(await redis.hget(key(id), 'state')).replace('deciding', 'reconsidering');
    await redis.hset(key(id), 'state', `${state} more words`, 'new-field', '?');
    await expect(store.records.load(id)).resolves.toMatchObject({
      status: 'running',
      stage: 'reconsidering',
      version: 1,
    });
    expect((await store.index.list({}, 10)).sessions).toMatchObject([{ id, stage: 'reconsidering' }]);
    await expect(store.schedule.postpone(id, 1, 1000, false)).resolves.toMatchObject({ version: 1 });
    await expect(redis.hget(key(id), 'new-field')).resolves.toBe('?');
  });
});
