import { rateLimitsContract } from '@fleet/testing';
import { MemoryRateLimits } from './memory-rate-limits';

rateLimitsContract('MemoryRateLimits', () =>
  Promise.resolve({ made: new MemoryRateLimits(), close: () => Promise.resolve() }),
);

it('MemoryRateLimits refills its buckets with time', async () => {
  let now = 0;
  const limits = new MemoryRateLimits(() => now);
  await limits.take('requests:eve', 60, 60);
  now = 10_000;
  expect(await limits.take('requests:eve', 60, 30)).toEqual({ granted: 10, retryMs: 0 });
  now = 1_000_000;
  expect(await limits.take('requests:eve', 60, 100)).toEqual({ granted: 60, retryMs: 0 });
});
