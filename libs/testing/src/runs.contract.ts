import type { Clock, LaunchControl, Orphan, OrphanRegister } from '@fleet/ports';
import { ManualClock } from './manual-clock';

/** What tests of an implementation are given, and how to be rid of it. */
export interface Made<T> {
  readonly made: T;
  readonly close: () => Promise<void>;
}
export type Make<T> = (clock: Clock) => Promise<Made<T>>;

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
