import { RedisConfig, redisConnection } from '@fleet/config';
import { Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { RedisOptions } from 'bullmq';
import { Redis } from 'ioredis';

/** Keys of the queue library; apart from the session keys, so that either can be deleted alone. */
export const queueKeyPrefix = (config: RedisConfig): string => `${config.keyPrefix}:bq`;

/** Options of a worker's own connections; its blocking reads may wait for ever. */
export const workerConnection = (config: RedisConfig): RedisOptions => ({
  ...redisConnection(config),
  maxRetriesPerRequest: null,
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
    this.redis = new Redis({ ...redisConnection(config), maxRetriesPerRequest: null, enableOfflineQueue: false });
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}

@Module({ providers: [QueueConnection], exports: [QueueConnection] })
export class QueueConnectionModule {}
