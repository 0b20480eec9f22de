import { redisConnection, type RedisConfig } from '@fleet/config';
import { Redis } from 'ioredis';

/**
 * A connection for the session store. A call that is not answered within a few reconnects fails, so that an HTTP request ends with
 * an error instead of hanging.
 */
export const connectStore = (config: Pick<RedisConfig, 'url'>): Redis =>
  new Redis({ ...redisConnection(config), maxRetriesPerRequest: 5, socketTimeout: 15_000 });
