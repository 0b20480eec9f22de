import type { TextRequest } from '@fleet/ports';
import { aNewSession, ManualClock, useStores, type TestStore } from '@fleet/testing';

const leaseMs = 60_000;

describe('requests for texts from models', () => {
  const newStore = useStores();
  const clock = new ManualClock();
  let store: TestStore;
  let requests: TestStore['textRequests'];
  beforeEach(() => {
    store = newStore(clock);
    ({ textRequests: requests } = store);
  });
  const aSession = async (): Promise<string> => {
    const made = aNewSession();
    await store.records.create(made, [], 1000);
    return made.id;
  };
  const aRequest = async (number = 1): Promise<TextRequest> => {
    const request = await requests.ask({ session: await aSession() }, number);
    if (request === undefined) throw new Error('it was not taken');
    return request;
  };

  it('stores one request of a session, the first, until it is answered', async () => {
    const request = await aRequest();
    expect(request).toMatchObject({ number: 1 });
    expect(request.requestedAt).toBeGreaterThan(0);
    expect(await requests.ask({ session: request.session }, 2)).toEqual(request);
    expect(await requests.find({ session: request.session })).toEqual(request);
    await requests.done(request);
    expect(await requests.find({ session: request.session })).toBeUndefined();
    expect(await requests.take(leaseMs)).toBeUndefined();
    expect(await requests.ask({ session: request.session }, 2)).toMatchObject({ number: 2 });
  });

  it('stores the requests of each cycle beside those of its session', async () => {
    const { session } = await aRequest();
    const log = await requests.ask({ session, cycle: 3 }, 4);
    expect(log).toMatchObject({ session, cycle: 3, number: 4 });
    expect(await requests.find({ session, cycle: 3 })).toEqual(log);
    expect(await requests.find({ session, cycle: 2 })).toBeUndefined();
    expect(await requests.find({ session })).not.toHaveProperty('cycle');
    const taken = [await requests.take(leaseMs), await requests.take(leaseMs)];
    expect(taken).toContainEqual(log);
    if (log !== undefined) await requests.done(log);
    expect(await requests.find({ session, cycle: 3 })).toBeUndefined();
    expect(await requests.find({ session })).toBeDefined();
  });

  it('assigns each to one worker', async () => {
    const [one, other] = [await aRequest(), await aRequest(4)];
    const taken = [await requests.take(leaseMs), await requests.take(leaseMs)];
    expect(taken).toEqual(expect.arrayContaining([one, other]));
    expect(await requests.take(leaseMs)).toBeUndefined();
    expect(await requests.find({ session: one.session })).toEqual(one);
  });

  it('reassigns a request whose worker has died or returned it', async () => {
    const request = await aRequest();
    await requests.take(leaseMs);
    clock.forward(leaseMs);
    expect(await requests.take(leaseMs)).toEqual(request);
    await requests.putBack(request, 0);
    expect(await requests.take(leaseMs)).toEqual(request);
    await requests.putBack(request, leaseMs);
    expect(await requests.take(leaseMs)).toBeUndefined();
  });

  it('keeps a newer request when a slow worker answers the previous one', async () => {
    const old = await aRequest();
    await requests.done(old);
    const request = await requests.ask({ session: old.session }, 2);
    await requests.done(old);
    await requests.putBack(old, leaseMs);
    expect(await requests.take(leaseMs)).toEqual(request);
  });

  it('rejects a request for a missing session', async () => {
    expect(await requests.ask({ session: 'none' }, 1)).toBeUndefined();
  });

  it('assigns each to one of many concurrent workers', async () => {
    for (let made = 0; made < 3; made += 1) await requests.ask({ session: await aSession() }, 1);
    const taken = await Promise.all(Array.from({ length: 9 }, () => requests.take(60_000)));
    const sessions = taken.flatMap((request) => request?.session ?? []);
    expect(new Set(sessions).size).toBe(sessions.length);
    const rest = [await requests.take(60_000), await requests.take(60_000), await requests.take(60_000)];
    expect([...sessions, ...rest.flatMap((request) => request?.session ?? [])]).toHaveLength(3);
  });
});
