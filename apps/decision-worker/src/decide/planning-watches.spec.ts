import { aNewSession, ManualClock, MemoryModelLedger, MemoryStore } from '@fleet/testing';
import { PlanningWatches } from './planning-watches';

/** Lets a minute of timers pass, and whatever waits for them do its work after each second. */
const aMinutePasses = async (): Promise<void> => {
  for (let second = 0; second < 60; second += 1) {
    jest.advanceTimersByTime(1_000);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }
};

describe('a watch over a session whose model is asked', () => {
  let outOfTime: AbortController;
  let timeout: jest.SpyInstance;
  beforeEach(() => {
    jest.useFakeTimers();
    outOfTime = new AbortController();
    timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(outOfTime.signal);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('renews lease and deadline until the time of the turn is over, and leaves both to lapse then', async () => {
    const store = new MemoryStore(new ManualClock());
    const created = aNewSession();
    await store.records.create(created, [], 1000);
    const session = await store.records.load(created.id);
    if (session === undefined) throw new Error('the session is gone');
    const ledger = new MemoryModelLedger();
    const [renewed, postponed] = [jest.spyOn(ledger, 'renew'), jest.spyOn(store.schedule, 'postpone')];
    const troubles: unknown[] = [];
    const { records, schedule } = store;
    const onTrouble = (error: unknown): void => void troubles.push(error);
    const watches = new PlanningWatches({ records, schedule, ledger, onTrouble });
    const work = { session: session.id, proposal: 'mx1', name: 'c001-plan' };
    const watch = await watches.open(session, work);
    await aMinutePasses();
    expect([renewed.mock.calls.length, postponed.mock.calls.length, watch.signal.aborted]).toEqual([60, 61, false]);
    expect(timeout).toHaveBeenCalledWith(240_000);
    outOfTime.abort();
    await aMinutePasses();
    expect([renewed.mock.calls.length, postponed.mock.calls.length]).toEqual([60, 61]);
    expect([watch.signal.aborted, watch.isHandedBack(), troubles]).toEqual([true, false, []]);
    await watch.close(false);
  });
});
