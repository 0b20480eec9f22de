import { sharesPolicySchema, type SharesPolicy, type SharesRequest } from '@fleet/contracts/launches';
import { withDefaults } from '@fleet/contracts/schema';
import { claimantOf, nextToLaunch, type LaunchPolicy, type SharedRun, type SiteLimits } from '@fleet/fair-shares';
import type { RunSlots, SharesControl, SlotAnswer } from '@fleet/ports';
import { ManualClock } from './manual-clock';
import type { Make } from './runs.contract';

/** A run, in terms of shares. */
export const aSharedRun = (name: string, changes: Partial<SharedRun> = {}): SharedRun => ({
  name,
  proposal: 'mx1',
  user: 'ada',
  priority: 'standard',
  nodes: 'cpu',
  submittedAt: 0,
  ...changes,
});

/** The limits of a site, with the default shares. */
export const aLaunchPolicy = (site: Partial<SiteLimits> = {}, shares: SharesRequest = {}): LaunchPolicy => ({
  site: { maxRunning: 0, maxRunningPerProposal: 0, classes: { cpu: 0, gpu: 0 }, ...site },
  shares: withDefaults(sharesPolicySchema, shares) as SharesPolicy,
});

const hourMs = 3_600_000;

/** Requests slots with one policy. */
class Asking {
  constructor(
    readonly slots: RunSlots,
    readonly policy: LaunchPolicy,
  ) {}

  ask(name: string, changes: Partial<SharedRun> = {}): Promise<SlotAnswer> {
    return this.slots.ask(claimantOf(aSharedRun(name, changes), this.policy), hourMs);
  }

  running(name: string, changes: Partial<SharedRun> = {}): Promise<void> {
    return this.slots.running(claimantOf(aSharedRun(name, changes), this.policy));
  }

  /** Grants the free slots. */
  async serve(): Promise<readonly string[] | undefined> {
    const { census, waiters, revision } = await this.slots.line();
    return this.slots.grant(nextToLaunch(census, waiters, this.policy).start, revision);
  }
}

const taken = { taken: true, before: false };

/** The behavior of every RunSlots. */
export const runSlotsContract = (name: string, make: Make<RunSlots>): void => {
  describe(`${name} as RunSlots`, () => {
    let clock: ManualClock;
    let slots: RunSlots;
    let close: () => Promise<void>;
    const by = (site: Partial<SiteLimits> = {}, shares: SharesRequest = {}): Asking =>
      new Asking(slots, aLaunchPolicy(site, shares));
    const counted = (): Promise<void> => slots.counted(aLaunchPolicy().site);
    beforeEach(async () => {
      clock = new ManualClock();
      ({ made: slots, close } = await make(clock));
      await counted();
    });
    afterEach(() => close());

    it('takes one slot of every claim, or none and reports which was full', async () => {
      const asking = by({ maxRunning: 2 }, { maxPerProposal: 1 });
      await expect(asking.ask('a')).resolves.toEqual(taken);
      await expect(asking.ask('b')).resolves.toEqual({ taken: false, full: { key: 'proposal:mx1', limit: 1 } });
      await expect(asking.serve()).resolves.toEqual([]);
      await slots.release('b');
      await expect(asking.ask('c', { proposal: 'mx2' })).resolves.toEqual(taken);
      await expect(asking.ask('d', { proposal: 'mx3', user: '' })).resolves.toEqual({
        taken: false,
        full: { key: 'all', limit: 2 },
      });
      expect((await slots.census()).taken).toEqual({
        all: 2,
        'class:cpu': 2,
        'priority:standard': 2,
        'proposal:mx1': 1,
        'proposal:mx2': 1,
        'share:cpu:mx1': 1,
        'share:cpu:mx2': 1,
        'user:ada': 2,
      });
    });

    it('counts a run once, however often it requests a slot, and only counts without a limit', async () => {
      for (const before of [false, true, true])
        await expect(by({ maxRunning: 1 }).ask('a')).resolves.toEqual({ taken: true, before });
      await by().ask('b');
      expect((await slots.census()).taken.all).toBe(2);
    });

    it('never grants more slots than exist, under concurrent requests and grants', async () => {
      const asking = by({ maxRunning: 7 });
      const names = Array.from({ length: 50 }, (_, index) => `run${String(index)}`);
      const answers = await Promise.all(names.map((one) => asking.ask(one)));
      expect(answers.filter((answer) => answer.taken)).toHaveLength(7);
      for (const [index, answer] of answers.entries())
        if (answer.taken && index % 2 === 0) await slots.release(names[index]!);
      await Promise.all(Array.from({ length: 20 }, () => asking.serve()));
      expect((await slots.census()).taken.all).toBe(7);
    });

    it('releases everything once', async () => {
      await by({ maxRunning: 1 }).ask('a');
      await slots.release('a');
      await expect(slots.release('a')).resolves.toBe(false);
      expect(await slots.census()).toEqual({ taken: {}, waiting: 0 });
      expect(await slots.members()).toEqual([]);
      await expect(by({ maxRunning: 1 }).ask('b')).resolves.toEqual(taken);
    });

    it('counts a run that already exists above any limit', async () => {
      await by({ maxRunning: 1 }).ask('a');
      await by({ maxRunning: 1 }).running('b');
      expect((await slots.census()).taken.all).toBe(2);
    });

    it('reports how many runs wait and since when the first does', async () => {
      const since = new Date(clock.now()).toISOString();
      await slots.waiting(aSharedRun('a'), 'held');
      clock.forward(1000);
      await slots.waiting(aSharedRun('b'), 'held');
      await slots.waiting(aSharedRun('a'), 'held');
      expect(await slots.census()).toEqual({ taken: {}, waiting: 2, oldestWaitingSince: since });
      await by().running('a');
      expect(await slots.census()).toMatchObject({ waiting: 1, taken: { all: 1 } });
      expect(await slots.members()).toEqual(['a', 'b']);
    });

    it.each([
      ['in_line', 1],
      ['stuck', 1],
      ['no_room', 0],
      ['held', 0],
    ] as const)('keeps the slot of a run only if something of it may exist: %s', async (kind, all) => {
      await by({ maxRunning: 1 }).ask('a');
      await slots.waiting(aSharedRun('a'), kind);
      expect((await slots.census()).taken.all ?? 0).toBe(all);
      expect((await slots.census()).waiting).toBe(1);
      expect((await slots.line()).waiters.map((waiter) => waiter.name)).toEqual(all === 0 ? ['a'] : []);
      expect(await slots.stuck()).toEqual(kind === 'stuck' ? ['a'] : []);
    });

    it('lets no run overtake waiting ones, and grants the slot to the next one', async () => {
      const asking = by({ maxRunning: 1 });
      await asking.ask('a');
      clock.forward(1000);
      await asking.ask('second', { submittedAt: 20 });
      await asking.ask('first', { submittedAt: 10 });
      await expect(slots.release('a')).resolves.toBe(true);
      await expect(asking.ask('newcomer', { submittedAt: 30 })).resolves.toEqual({ taken: false });
      await expect(asking.serve()).resolves.toEqual(['first']);
      await expect(asking.ask('first')).resolves.toEqual({ taken: true, before: true });
      expect((await slots.line()).waiters.map((waiter) => waiter.name)).toEqual(['second', 'newcomer']);
    });

    it('lets a run that requests again with another priority wait with that', async () => {
      const asking = by({ maxRunning: 1 });
      await asking.ask('a');
      for (const one of ['b', 'c']) await asking.ask(one);
      await asking.ask('c', { priority: 'live' });
      await asking.ask('b', { priority: 'backfill' });
      expect((await slots.line()).waiters).toMatchObject([
        { name: 'b', priority: 'backfill', arrival: 1 },
        { name: 'c', priority: 'live', arrival: 2 },
      ]);
      await asking.ask('a', { priority: 'backfill' });
      await slots.release('a');
      await expect(asking.serve()).resolves.toEqual(['c']);
      expect((await slots.census()).taken).toMatchObject({ all: 1, 'priority:live': 1 });
    });

    it('rejects a grant that is based on outdated data', async () => {
      const asking = by({ maxRunning: 1 });
      await asking.ask('a');
      await asking.ask('b');
      await asking.ask('c');
      await slots.release('a');
      const { census, waiters, revision } = await slots.line();
      const { start } = nextToLaunch(census, waiters, asking.policy);
      await expect(slots.grant(start, revision)).resolves.toEqual(['b']);
      await expect(slots.grant(start, revision)).resolves.toBeUndefined();
    });

    it('grants nothing above a limit', async () => {
      const asking = by({ maxRunning: 2 });
      for (const one of ['a', 'b', 'c', 'd']) await asking.ask(one);
      const { census, waiters, revision } = await slots.line();
      const { start } = nextToLaunch({ ...census, taken: {} }, waiters, asking.policy);
      expect(start).toHaveLength(2);
      await slots.release('a');
      await expect(slots.grant(start, revision)).resolves.toEqual(['c']);
      expect((await slots.census()).taken.all).toBe(2);
    });

    it('counts the starts of a day, and begins again with the next', async () => {
      const asking = by({}, { startsPerDayPerProposal: 1 });
      await asking.ask('a');
      await slots.release('a');
      await expect(asking.ask('b')).resolves.toEqual({ taken: false, full: { key: 'day:mx1', limit: 1 } });
      await expect(asking.ask('c', { proposal: 'mx2' })).resolves.toEqual({ taken: false });
      await expect(asking.serve()).resolves.toEqual(['c']);
      clock.forward(24 * hourMs);
      await counted();
      await expect(asking.ask('b')).resolves.toEqual(taken);
    });

    it('alternates between proposals', async () => {
      const asking = by({ maxRunning: 1 });
      await asking.ask('a0', { proposal: 'a' });
      for (const one of ['a1', 'a2', 'b1', 'b2']) await asking.ask(one, { proposal: one.slice(0, 1) });
      const order: string[] = ['a0'];
      for (let turn = 0; turn < 4; turn += 1) {
        await slots.release(order.at(-1)!);
        order.push(...(await asking.serve())!);
      }
      expect(order).toEqual(['a0', 'b1', 'a1', 'b2', 'a2']);
    });

    it('sends a run back to its position', async () => {
      await by().ask('a');
      await slots.waiting(aSharedRun('a'), 'no_room');
      await by().ask('b');
      await by().serve();
      await slots.waiting(aSharedRun('a'), 'no_room');
      await expect(by().serve()).resolves.toEqual(['a']);
    });

    it('remembers that the backend was full as long as any run waits', async () => {
      await by().ask('a');
      await slots.waiting(aSharedRun('a'), 'no_room');
      await by().ask('b');
      expect((await slots.line()).census.noRoom).toEqual(['cpu']);
      await expect(by().serve()).resolves.toEqual(['a']);
      await expect(by().serve()).resolves.toEqual(['b']);
      await by().ask('c');
      expect((await slots.line()).census.noRoom).toEqual([]);
    });

    it('reports how long programs run', async () => {
      await by().ask('a');
      expect((await slots.line()).typicalMs).toEqual({});
      clock.forward(1000);
      await slots.release('a');
      await by().ask('b');
      clock.forward(2000);
      await slots.release('b');
      expect((await slots.line()).typicalMs).toEqual({ cpu: 1100 });
    });

    it('grants nothing before the running programs are counted, or long after the count', async () => {
      const { made: fresh, close: closeFresh } = await make(clock);
      const asking = new Asking(fresh, aLaunchPolicy());
      await expect(asking.ask('a')).resolves.toEqual({ taken: false, uncounted: true });
      await asking.running('b');
      await fresh.counted(aLaunchPolicy({ maxRunning: 3 }).site);
      await expect(asking.ask('a')).resolves.toEqual(taken);
      expect((await fresh.line()).site).toEqual(aLaunchPolicy({ maxRunning: 3 }).site);
      clock.forward(hourMs + 1);
      await expect(asking.ask('c')).resolves.toEqual({ taken: false, uncounted: true });
      await expect(asking.ask('a')).resolves.toEqual({ taken: true, before: true });
      await closeFresh();
    });
  });
};

/** The behavior of every SharesControl. */
export const sharesControlContract = (name: string, make: Make<SharesControl>): void => {
  describe(`${name} as SharesControl`, () => {
    it('is unset until an administrator sets it, and stores the last value', async () => {
      const clock = new ManualClock();
      const { made: control, close } = await make(clock);
      expect(await control.read()).toBeUndefined();
      const { shares } = aLaunchPolicy({}, { maxPerProposal: 3, liveAllowedFor: ['i04'] });
      const stored = { policy: shares, by: 'ada', since: new Date(clock.now()).toISOString() };
      expect(await control.set({ policy: shares, by: 'ada' })).toEqual(stored);
      expect(await control.read()).toEqual(stored);
      await close();
    });
  });
};
