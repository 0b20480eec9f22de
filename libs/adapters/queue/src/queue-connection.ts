import { RedisConfig, redisConnection } from '@fleet/config';
import { Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { RedisOptions } from 'bullmq';
import { Redis } from 'ioredis';

/** Key prefix of the queue library, separate from the other keys, so that either can be deleted alone. */
export const queueKeyPrefix = (config: RedisConfig): string => `${config.keyPrefix}:bq`;

/**
 * A connection without a response for this long is replaced, in milliseconds: the system would wait a quarter of an
 * hour for a computer that vanished. Blocking reads take at most 10 s.
 */
const silenceMs = 15_000;

/** Options of a worker's connections; a call waits until it is answered. */
export const workerConnection = (config: RedisConfig): RedisOptions => ({
  ...redisConnection(config),
  maxRetriesPerRequest: null,
  socketTimeout: silenceMs,
});

/**
 * The connection that adds jobs, one for all queues. It has no offline queue: while Redis is unreachable an `add` fails
 * at once, because its wake-up is in the outbox and the sweeper will send it.
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
