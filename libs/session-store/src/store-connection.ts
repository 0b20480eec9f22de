import type { RedisConfig } from '@fleet/config';
import { Redis } from 'ioredis';

/**
 * A connection for the session store: reconnects for ever, with growing pauses up to two seconds. A call that is not answered
 * within a few reconnects fails, so that an HTTP request ends with an error instead of hanging.
 */
export const connectStore = ({ url }: Pick<RedisConfig, 'url'>): Redis =>
  new Redis(url, {
    maxRetriesPerRequest: 5,
    socketTimeout: 15_000,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 6), 2_000) + Math.random() * 100,
  });
