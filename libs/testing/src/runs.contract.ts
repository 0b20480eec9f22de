import type { Clock, LaunchControl, Orphan, OrphanRegister, RunSlots, SlotClaim } from '@fleet/ports';
import { ManualClock } from './manual-clock';

/** What tests of an implementation are given, and how to be rid of it. */
export interface Made<T> {
  readonly made: T;
  readonly close: () => Promise<void>;
}
type Make<T> = (clock: Clock) => Promise<Made<T>>;

const claims = (proposal: string, limits: { readonly all?: number; readonly proposal?: number } = {}): SlotClaim[] => [
  { key: 'all', limit: limits.all ?? 0 },
  { key: `proposal:${proposal}`, limit: limits.proposal ?? 0 },
];

/** What every RunSlots does. */
export const runSlotsContract = (name: string, make: Make<RunSlots>): void => {
  describe(`${name} as RunSlots`, () => {
    let clock: ManualClock;
    let slots: RunSlots;
    let close: () => Promise<void>;
    beforeEach(async () => {
      clock = new ManualClock();
      ({ made: slots, close } = await make(clock));
    });
    afterEach(() => close());

    it('takes one of every claim, or none and says which was full', async () => {
      await expect(slots.take('a', claims('mx1', { all: 2, proposal: 1 }))).resolves.toEqual({
        taken: true,
        before: false,
      });
      await expect(slots.take('b', claims('mx1', { all: 2, proposal: 1 }))).resolves.toEqual({
        taken: false,
        full: { key: 'proposal:mx1', limit: 1 },
      });
      await expect(slots.take('c', claims('mx2', { all: 2, proposal: 1 }))).resolves.toEqual({
        taken: true,
        before: false,
      });
      await expect(slots.take('d', claims('mx3', { all: 2, proposal: 1 }))).resolves.toMatchObject({
        full: { key: 'all', limit: 2 },
      });
      expect((await slots.census()).taken).toEqual({ all: 2, 'proposal:mx1': 1, 'proposal:mx2': 1 });
    });

    it('counts a run once, however often it takes, and only counts without a limit', async () => {
      for (const before of [false, true, true])
        await expect(slots.take('a', claims('mx1', { all: 1 }))).resolves.toEqual({ taken: true, before });
      await slots.take('b', claims('mx1'));
      expect((await slots.census()).taken.all).toBe(2);
    });

    it('never gives out more places than there are, however many ask at once', async () => {
      const names = Array.from({ length: 50 }, (_, index) => `run${String(index)}`);
      const results = await Promise.all(names.map((one) => slots.take(one, claims('mx1', { all: 7 }))));
      expect(results.filter(({ taken }) => taken)).toHaveLength(7);
      expect((await slots.census()).taken.all).toBe(7);
    });

    it('gives everything back, once', async () => {
      await slots.take('a', claims('mx1', { all: 1 }));
      await slots.release('a');
      await slots.release('a');
      expect(await slots.census()).toEqual({ taken: {}, waiting: 0 });
      expect(await slots.members()).toEqual([]);
      await expect(slots.take('b', claims('mx1', { all: 1 }))).resolves.toEqual({ taken: true, before: false });
    });

    it('counts a run that is there already over any limit', async () => {
      await slots.take('a', claims('mx1', { all: 1 }));
      await slots.running('b', claims('mx1', { all: 1 }));
      expect((await slots.census()).taken.all).toBe(2);
    });

    it('tells how many wait and since when the first does', async () => {
      const since = new Date(clock.now()).toISOString();
      await slots.waiting('a', 'given_back');
      clock.forward(1000);
      await slots.waiting('b', 'given_back');
      await slots.waiting('a', 'given_back');
      expect(await slots.census()).toEqual({ taken: {}, waiting: 2, oldestWaitingSince: since });
      await slots.running('a', claims('mx1'));
      expect(await slots.census()).toMatchObject({ waiting: 1, taken: { all: 1 } });
      expect(await slots.members()).toEqual(['a', 'b']);
    });

    it('keeps the place of a run in line, and gives back that of one that is not', async () => {
      await slots.take('a', claims('mx1', { all: 1 }));
      await slots.waiting('a', 'kept');
      await expect(slots.take('b', claims('mx1', { all: 1 }))).resolves.toMatchObject({ taken: false });
      await slots.waiting('a', 'given_back');
      await expect(slots.take('b', claims('mx1', { all: 1 }))).resolves.toEqual({ taken: true, before: false });
      expect((await slots.census()).waiting).toBe(1);
    });
  });
};

/** What every LaunchControl does. */
export const launchControlContract = (name: string, make: Make<LaunchControl>): void => {
  describe(`${name} as LaunchControl`, () => {
    it('is open until somebody says otherwise, and remembers who, why and since when', async () => {
      const clock = new ManualClock();
      const { made: control, close } = await make(clock);
      expect(await control.read()).toEqual({ mode: 'open', reason: '', by: '', since: '' });
      const since = new Date(clock.now()).toISOString();
      const paused = await control.set({ mode: 'paused', reason: 'the disk is changed', by: 'ada' });
      expect(paused).toEqual({ mode: 'paused', reason: 'the disk is changed', by: 'ada', since });
      expect(await control.read()).toEqual(paused);
      clock.forward(1000);
      expect(await control.set({ mode: 'paused', reason: 'it takes longer', by: 'bob' })).toEqual({
        mode: 'paused',
        reason: 'it takes longer',
        by: 'bob',
        since,
      });
      expect((await control.set({ mode: 'open', reason: '', by: 'bob' })).since).not.toBe(since);
      await close();
    });
  });
};

const anOrphan = (name: string): Orphan => ({
  name,
  owner: { sessionId: 's', cycle: 1, attempt: 1, proposal: 'mx1' },
  createdAt: '2026-11-21T08:00:00.000Z',
  because: 'the session has ended',
});

/** What every OrphanRegister does. */
export const orphanRegisterContract = (name: string, make: Make<OrphanRegister>): void => {
  describe(`${name} as OrphanRegister`, () => {
    let clock: ManualClock;
    let register: OrphanRegister;
    let close: () => Promise<void>;
    beforeEach(async () => {
      clock = new ManualClock();
      ({ made: register, close } = await make(clock));
    });
    afterEach(() => close());
    const strikes = async (): Promise<readonly (readonly [string, number])[]> =>
      (await register.list()).map((orphan) => [orphan.name, orphan.strikes] as const);

    it('counts looks that are far enough apart, and no others', async () => {
      await register.saw([anOrphan('a')], 1000);
      clock.forward(999);
      await register.saw([anOrphan('a'), anOrphan('b')], 1000);
      expect(await strikes()).toEqual([
        ['a', 1],
        ['b', 1],
      ]);
      clock.forward(1);
      await register.saw([anOrphan('a'), anOrphan('b')], 1000);
      expect(await strikes()).toEqual([
        ['a', 2],
        ['b', 1],
      ]);
    });

    it('forgets what is no orphan any more, and begins to count again', async () => {
      await register.saw([anOrphan('a')], 0);
      await register.saw([anOrphan('a')], 0);
      await register.requestRemoval();
      await register.saw([], 0);
      expect(await register.list()).toEqual([]);
      await register.saw([anOrphan('a')], 0);
      expect(await register.list()).toMatchObject([{ ...anOrphan('a'), strikes: 1, removing: false }]);
    });

    it('removes nothing that was seen once, and keeps the wish until it is done', async () => {
      const firstSeenAt = new Date(clock.now()).toISOString();
      await register.saw([anOrphan('a')], 1000);
      clock.forward(1000);
      await register.saw([anOrphan('a'), anOrphan('b')], 1000);
      await expect(register.requestRemoval()).resolves.toEqual(['a']);
      clock.forward(1000);
      await register.saw([anOrphan('a'), anOrphan('b')], 1000);
      expect(await register.list()).toEqual([
        { ...anOrphan('a'), firstSeenAt, strikes: 3, removing: true },
        expect.objectContaining({ name: 'b', strikes: 2, removing: false }),
      ]);
      await register.removed('a');
      await register.removed('a');
      expect(await strikes()).toEqual([['b', 2]]);
    });
  });
};
