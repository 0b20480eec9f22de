import type { RateLimits } from '@fleet/ports';
import type { Made } from './runs.contract';

/** The behavior of every RateLimits. With one token per minute none is added during a test. */
export const rateLimitsContract = (name: string, make: () => Promise<Made<RateLimits>>): void => {
  describe(`${name} as RateLimits`, () => {
    let limits: RateLimits;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ made: limits, close } = await make());
    });
    afterEach(() => close());

    it('grants at most what a minute allows, separately for each bucket, and reports when to retry', async () => {
      expect(await limits.take('requests:ada', 1, 5)).toEqual({ granted: 1, retryMs: 0 });
      const { granted, retryMs } = await limits.take('requests:ada', 1, 5);
      expect(granted).toBe(0);
      expect(retryMs).toBeGreaterThan(0);
      expect(retryMs).toBeLessThanOrEqual(60_000);
      expect(await limits.take('requests:bob', 1, 1)).toEqual({ granted: 1, retryMs: 0 });
    });

    it('grants nothing while a bucket is in debt', async () => {
      await limits.charge('submissions:ada', 2, 4);
      const { granted, retryMs } = await limits.take('submissions:ada', 2, 1);
      expect(granted).toBe(0);
      // Two owed, and one needed: three half minutes.
      expect(retryMs).toBeGreaterThan(60_000);
      expect(retryMs).toBeLessThanOrEqual(90_000);
    });
  });
};
