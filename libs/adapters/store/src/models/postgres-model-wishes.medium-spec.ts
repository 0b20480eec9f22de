import type { ModelWish } from '@fleet/ports';
import { aNewSession, ManualClock, useStores, type TestStore } from '@fleet/testing';

const leaseMs = 60_000;

describe('requests for texts from models', () => {
  const newStore = useStores();
  const clock = new ManualClock();
  let store: TestStore;
  let wishes: TestStore['wishes'];
  beforeEach(() => {
    store = newStore(clock);
    ({ wishes } = store);
  });
  const aSession = async (): Promise<string> => {
    const made = aNewSession();
    await store.records.create(made, [], 1000);
    return made.id;
  };
  const aRequest = async (number = 1): Promise<ModelWish> => {
    const wish = await wishes.ask({ session: await aSession() }, number);
    if (wish === undefined) throw new Error('it was not taken');
    return wish;
  };

  it('stores one request of a session, the first, until it is answered', async () => {
    const wish = await aRequest();
    expect(wish).toMatchObject({ number: 1 });
    expect(wish.requestedAt).toBeGreaterThan(0);
    expect(await wishes.ask({ session: wish.session }, 2)).toEqual(wish);
    expect(await wishes.find({ session: wish.session })).toEqual(wish);
    await wishes.done(wish);
    expect(await wishes.find({ session: wish.session })).toBeUndefined();
    expect(await wishes.take(leaseMs)).toBeUndefined();
    expect(await wishes.ask({ session: wish.session }, 2)).toMatchObject({ number: 2 });
  });

  it('stores the requests of each cycle beside those of its session', async () => {
    const { session } = await aRequest();
    const log = await wishes.ask({ session, cycle: 3 }, 4);
    expect(log).toMatchObject({ session, cycle: 3, number: 4 });
    expect(await wishes.find({ session, cycle: 3 })).toEqual(log);
    expect(await wishes.find({ session, cycle: 2 })).toBeUndefined();
    expect(await wishes.find({ session })).not.toHaveProperty('cycle');
    const taken = [await wishes.take(leaseMs), await wishes.take(leaseMs)];
    expect(taken).toContainEqual(log);
    if (log !== undefined) await wishes.done(log);
    expect(await wishes.find({ session, cycle: 3 })).toBeUndefined();
    expect(await wishes.find({ session })).toBeDefined();
  });

  it('assigns each to one worker', async () => {
    const [one, other] = [await aRequest(), await aRequest(4)];
    const taken = [await wishes.take(leaseMs), await wishes.take(leaseMs)];
    expect(taken).toEqual(expect.arrayContaining([one, other]));
    expect(await wishes.take(leaseMs)).toBeUndefined();
    expect(await wishes.find({ session: one.session })).toEqual(one);
  });

  it('reassigns a request whose worker has died or returned it', async () => {
    const wish = await aRequest();
    await wishes.take(leaseMs);
    clock.forward(leaseMs);
    expect(await wishes.take(leaseMs)).toEqual(wish);
    await wishes.putBack(wish, 0);
    expect(await wishes.take(leaseMs)).toEqual(wish);
    await wishes.putBack(wish, leaseMs);
    expect(await wishes.take(leaseMs)).toBeUndefined();
  });

  it('keeps a newer request when a slow worker answers the previous one', async () => {
    const old = await aRequest();
    await wishes.done(old);
    const wish = await wishes.ask({ session: old.session }, 2);
    await wishes.done(old);
    await wishes.putBack(old, leaseMs);
    expect(await wishes.take(leaseMs)).toEqual(wish);
  });

  it('rejects a request for a missing session', async () => {
    expect(await wishes.ask({ session: 'none' }, 1)).toBeUndefined();
  });

  it('assigns each to one of many concurrent workers', async () => {
    for (let made = 0; made < 3; made += 1) await wishes.ask({ session: await aSession() }, 1);
    const taken = await Promise.all(Array.from({ length: 9 }, () => wishes.take(60_000)));
    const sessions = taken.flatMap((wish) => wish?.session ?? []);
    expect(new Set(sessions).size).toBe(sessions.length);
    const rest = [await wishes.take(60_000), await wishes.take(60_000), await wishes.take(60_000)];
    expect([...sessions, ...rest.flatMap((wish) => wish?.session ?? [])]).toHaveLength(3);
  });
});
