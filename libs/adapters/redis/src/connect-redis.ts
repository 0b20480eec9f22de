import { redisConnection, type RedisConfig } from '@fleet/config';
import { Redis } from 'ioredis';

/** Milliseconds until a connection without a response is replaced. */
const silenceMs = 15_000;

/**
 * A connection for what is stored beside the queues. A call without a response in time, or within a few reconnects,
 * fails, so that an HTTP request ends with an error instead of hanging. The command may still be executed later.
 * @param patienceMs timeout of a call in milliseconds; needed because a frozen server keeps its connections and accepts
 *   new ones
 */
export const connectRedis = (config: Pick<RedisConfig, 'url' | 'caFile'>, timeoutMs = silenceMs): Redis =>
  new Redis({
    ...redisConnection(config),
    maxRetriesPerRequest: 5,
    socketTimeout: silenceMs,
    commandTimeout: timeoutMs,
  });
