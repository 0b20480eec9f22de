import type { ModelBreaker } from '@fleet/ports';

interface Workers {
  readonly one: ModelBreaker;
  readonly other: ModelBreaker;
  /** Remaining milliseconds of the target's suspension. */
  readonly restOf: (target: string) => Promise<number>;
  /** Simulates the passage of time. */
  readonly wait: (target: string) => Promise<void>;
}

/** The behavior of every ModelBreaker. */
export const modelBreakerContract = (name: string, make: () => Promise<Workers>): void => {
  describe(`${name} as ModelBreaker`, () => {
    let workers: Workers;
    beforeEach(async () => {
      workers = await make();
    });
    const admit = () => Promise.all([workers.one.admit('site'), workers.other.admit('site')]);
    const rested = async (): Promise<void> => {
      await workers.one.report('site', 'down');
      await workers.wait('site');
    };

    it('suspends a target after two consecutive failures, for all workers, and no other target', async () => {
      const { one, other } = workers;
      await one.report('site', 'trouble');
      await other.report('site', 'works');
      await one.report('site', 'trouble');
      expect(await admit()).toEqual([true, true]);
      await other.report('site', 'trouble');
      expect(await admit()).toEqual([false, false]);
      expect(await one.admit('other')).toBe(true);
    });

    it('suspends a target that is down at once, for as long as it requests, at most five minutes', async () => {
      const { one, restOf } = workers;
      await one.report('site', 'down');
      expect(await admit()).toEqual([false, false]);
      for (const [target, wanted, least, most] of [
        // A call that was in progress when the other one failed adds no information.
        ['site', 0, 25_000, 30_000],
        ['hosted', 0, 25_000, 30_000],
        ['busy', 90_000, 85_000, 90_000],
        ['gone', 9_000_000, 295_000, 300_000],
      ] as const) {
        await one.report(target, 'down', wanted);
        expect(await restOf(target)).toBeGreaterThan(least);
        expect(await restOf(target)).toBeLessThanOrEqual(most);
      }
    });

    it('admits one request when the time is over, and all after it succeeded', async () => {
      await rested();
      const tried = await admit();
      expect(tried.filter((may) => may)).toHaveLength(1);
      expect(await admit()).toEqual([false, false]);
      await workers.one.report('site', 'works');
      expect(await admit()).toEqual([true, true]);
    });

    it('doubles the time when that request failed', async () => {
      await rested();
      await admit();
      await workers.one.report('site', 'trouble');
      expect(await admit()).toEqual([false, false]);
      expect(await workers.restOf('site')).toBeGreaterThan(30_000);
      for (let vain = 0; vain < 12; vain += 1) {
        await workers.wait('site');
        await workers.one.report('site', 'trouble');
      }
      expect(await workers.restOf('site')).toBeGreaterThan(290_000);
      expect(await workers.restOf('site')).toBeLessThanOrEqual(300_000);
    });

    it('admits the next one if that request failed for another reason', async () => {
      await rested();
      await admit();
      await workers.one.report('site', 'unknown');
      expect((await admit()).filter((may) => may)).toHaveLength(1);
    });
  });
};
