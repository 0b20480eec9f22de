import { siteLooksContract, useRedis } from '@fleet/testing';
import { RedisSiteLooks } from './redis-site-looks';

const redis = useRedis();

siteLooksContract('RedisSiteLooks', () =>
  Promise.resolve({
    looks: new RedisSiteLooks(redis(), 'fleet'),
    pass: async (ms) => {
      for (const field of ['asked', 'until']) {
        const at = await redis().hget('fleet:doctor:trial', field);
        if (at !== null) await redis().hset('fleet:doctor:trial', field, String(Number(at) - ms));
      }
    },
  }),
);
