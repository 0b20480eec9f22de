import { aSession } from '@fleet/testing';
import { PlanningWatches } from './planning-watches';

/** Advances a minute of timers, and runs pending work after each second. */
const aMinutePasses = async (): Promise<void> => {
  for (let second = 0; second < 60; second += 1) {
    jest.advanceTimersByTime(1_000);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }
};

describe('a watch over a session during a model call', () => {
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

  it("renews lease and deadline until the call's time limit, then lets both expire", async () => {
    const session = aSession();
    const [renewed, postponed] = [jest.fn(() => Promise.resolve(true)), jest.fn(() => Promise.resolve(session))];
    const records = { load: () => Promise.resolve(session) };
    const ledger = { hold: () => Promise.resolve(true), renew: renewed, release: () => Promise.resolve() };
    const schedule = { postpone: postponed };
    const troubles: unknown[] = [];
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
