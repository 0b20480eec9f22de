import type { FeedPage } from '@fleet/ports';
import { aCycle, aNewSession, anEvent, aResult, useStores, type TestStore } from '@fleet/testing';

const newStore = useStores();
let store: TestStore;
beforeEach(() => {
  store = newStore();
});

const messages = ({ entries }: FeedPage): readonly (readonly string[])[] =>
  entries.map(({ events }) => events.map(({ message }) => message));

describe('the feed of moves', () => {
  it('reports each move of each session once, in one order, with the session before it', async () => {
    const [one, other] = [aNewSession(), aNewSession()];
    await store.records.create(one, [anEvent({ message: 'a' }), anEvent({ message: 'b' })], 1000);
    await store.records.create(other, [anEvent({ message: 'c' })], 1000);
    await store.records.requestCancel(one.id, anEvent({ message: 'd' }));
    const { entries, missed } = await store.feed.after('0', 10);
    expect(missed).toBe(false);
    expect(entries.map(({ sessionId, was }) => [sessionId, was])).toEqual([
      [one.id, undefined],
      [other.id, undefined],
      [one.id, 'running'],
    ]);
    const events = entries.filter(({ sessionId }) => sessionId === one.id).flatMap(({ events }) => events);
    expect(events).toEqual(await store.events.after(one.id, '0', 10));
  });

  it('reports the end of a cycle and of a session with the data of the session record', async () => {
    const made = aNewSession();
    await store.records.create(made, [anEvent({ message: 'a' })], 1000);
    await store.records.advance({
      sessionId: made.id,
      fromVersion: 1,
      to: { ended: { reason: 'converged', detail: 'done', afterCycle: 1 } },
      cycleRecord: aCycle({ result: aResult() }),
      events: [anEvent({ message: 'b' }), anEvent({ message: 'c', type: 'session_ended' })],
      dueInMs: 1,
    });
    const { entries } = await store.feed.after('0', 10);
    expect(entries.flatMap(({ events }) => events)).toEqual(await store.events.after(made.id, '0', 10));
  });

  it('skips a move without events', async () => {
    await store.records.create(aNewSession(), [], 1000);
    expect(await store.feed.after('0', 10)).toEqual({ entries: [], missed: false, newest: '0-0' });
  });
});

describe('a cursor of the feed', () => {
  const say = (message: string): Promise<unknown> => store.records.create(aNewSession(), [anEvent({ message })], 1000);

  it('continues after a cursor, up to the limit', async () => {
    for (const message of ['a', 'b', 'c']) await say(message);
    const two = await store.feed.after('0', 2);
    expect(messages(two)).toEqual([['a'], ['b']]);
    const rest = await store.feed.after(two.entries[1]!.id, 10);
    expect(messages(rest)).toEqual([['c']]);
    expect(await store.feed.after(rest.newest, 10)).toEqual({ entries: [], missed: false, newest: rest.newest });
    expect(rest.entries[0]!.id).toBe(rest.newest);
  });

  it('rejects a cursor of another feed', async () => {
    await say('a');
    const { newest } = await store.feed.after('0', 1);
    const ahead = `${String(Number(newest.split('-')[0]) + 1)}-0`;
    expect(await store.feed.after(ahead, 10)).toEqual({ entries: [], missed: true, newest });
  });

  it('waits for the next move, for many readers at once, up to the timeout', async () => {
    await say('a');
    const { newest } = await store.feed.after('0', 1);
    const readers = [1, 2, 3].map(() => store.feed.waitAfter(newest, 10, 60_000));
    await say('b');
    for (const reader of readers) expect(messages(await reader)).toEqual([['b']]);
    const last = (await store.feed.after('0', 10)).newest;
    expect(messages(await store.feed.waitAfter(last, 10, 20))).toEqual([]);
  });

  it('rejects an invalid cursor', async () => {
    await expect(store.feed.after('x', 1)).rejects.toMatchObject({ code: 'event.bad_id', kind: 'caller' });
  });
});
