import type { RateLimits } from '@fleet/ports';
import type { Made } from './runs.contract';

/** What every RateLimits does. One in a minute: nothing comes back while a test runs. */
export const rateLimitsContract = (name: string, make: () => Promise<Made<RateLimits>>): void => {
  describe(`${name} as RateLimits`, () => {
    let limits: RateLimits;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ made: limits, close } = await make());
    });
    afterEach(() => close());

    it('gives no more than a minute holds, each bucket its own, and says when the rest is there', async () => {
      expect(await limits.take('requests:ada', 1, 5)).toEqual({ granted: 1, retryMs: 0 });
      const { granted, retryMs } = await limits.take('requests:ada', 1, 5);
      expect(granted).toBe(0);
      expect(retryMs).toBeGreaterThan(0);
      expect(retryMs).toBeLessThanOrEqual(60_000);
      expect(await limits.take('requests:bob', 1, 1)).toEqual({ granted: 1, retryMs: 0 });
    });

    it('gives nothing for as long as a bucket owes', async () => {
      await limits.charge('submissions:ada', 2, 4);
      const { granted, retryMs } = await limits.take('submissions:ada', 2, 1);
      expect(granted).toBe(0);
      // It owes two, and one is wanted: three halves of a minute.
      expect(retryMs).toBeGreaterThan(60_000);
      expect(retryMs).toBeLessThanOrEqual(90_000);
    });
  });
};
