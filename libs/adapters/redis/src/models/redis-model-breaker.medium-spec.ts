import { modelBreakerContract, useRedis } from '@fleet/testing';
import { RedisModelBreaker } from './redis-model-breaker';

const redis = useRedis();

modelBreakerContract('RedisModelBreaker', () =>
  Promise.resolve({
    one: new RedisModelBreaker(redis(), 'fleet'),
    other: new RedisModelBreaker(redis(), 'fleet'),
    restOf: (target) => redis().pttl(`fleet:models:target:${target}:rest`),
    wait: async (target) => {
      await redis().del(`fleet:models:target:${target}:rest`);
    },
  }),
);

it('RedisModelBreaker forgets old failures, and trials of dead workers', async () => {
  const breaker = new RedisModelBreaker(redis(), 'fleet');
  await breaker.report('site', 'trouble');
  expect(await redis().pttl('fleet:models:target:site')).toBeGreaterThan(300_000);
  await breaker.report('site', 'down');
  await redis().del('fleet:models:target:site:rest');
  await breaker.admit('site');
  expect(await redis().pttl('fleet:models:target:site:trial')).toBeGreaterThan(240_000);
});
