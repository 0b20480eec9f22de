import { redisConnection, type RedisConfig } from '@fleet/config';
import { Redis } from 'ioredis';

/** Milliseconds until a connection that owes an answer is made again. */
const silenceMs = 15_000;

/**
 * A connection for what is kept beside the queues. A call that is not answered in time, or within a few reconnects, fails, so that an HTTP request ends
 * with an error instead of hanging. What was sent may be done all the same, later.
 * @param patienceMs milliseconds that a call may take; a frozen server keeps its connections and takes new ones, so that nothing else tells
 */
export const connectRedis = (config: Pick<RedisConfig, 'url' | 'caFile'>, timeoutMs = silenceMs): Redis =>
  new Redis({
    ...redisConnection(config),
    maxRetriesPerRequest: 5,
    socketTimeout: silenceMs,
    commandTimeout: timeoutMs,
  });
