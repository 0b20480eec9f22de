import { RedisConfig, redisConnection } from '@fleet/config';
import { Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { RedisOptions } from 'bullmq';
import { Redis } from 'ioredis';

/** Keys of the queue library; apart from the session keys, so that either can be deleted alone. */
export const queueKeyPrefix = (config: RedisConfig): string => `${config.keyPrefix}:bq`;

/**
 * A connection that owes an answer for this long is made again, in milliseconds: a computer that vanished without a word would be
 * waited for by the system for a quarter of an hour. Blocking reads take 10 s at most.
 */
const silenceMs = 15_000;

/** Options of a worker's own connections; a call waits until it is answered. */
export const workerConnection = (config: RedisConfig): RedisOptions => ({
  ...redisConnection(config),
  maxRetriesPerRequest: null,
  socketTimeout: silenceMs,
});

/**
 * The connection that adds jobs, one for all queues. Without an offline queue: while Redis is away an `add` fails at once,
 * for its wake-up is in the outbox already and the sweeper will send it.
 */
@Injectable()
export class QueueConnection implements OnApplicationShutdown {
  readonly redis: Redis;
  readonly prefix: string;

  constructor(@Inject(RedisConfig) config: RedisConfig) {
    this.prefix = queueKeyPrefix(config);
    this.redis = new Redis({
      ...redisConnection(config),
      maxRetriesPerRequest: null,
      enableOfflineQueue: false,
      socketTimeout: silenceMs,
    });
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}

@Module({ providers: [QueueConnection], exports: [QueueConnection] })
export class QueueConnectionModule {}
