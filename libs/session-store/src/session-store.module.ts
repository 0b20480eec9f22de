import { RedisConfig } from '@fleet/config';
import { CLOCK, SESSION_STORE, systemClock } from '@fleet/ports';
import { Inject, Injectable, Logger, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { assertDurableRedis } from './durable-redis';
import { RedisSessionStore } from './redis-session-store';
import { RedisProbe } from './redis.probe';
import { connectStore } from './store-connection';

const STORE_REDIS = Symbol('StoreRedis');

/** Closes the store's connections last, when everybody has drained. */
@Injectable()
class StoreCloser implements OnApplicationShutdown {
  constructor(
    @Inject(STORE_REDIS) private readonly redis: Redis,
    @Inject(SESSION_STORE) private readonly store: RedisSessionStore,
  ) {}

  onApplicationShutdown(): void {
    this.store.close();
    this.redis.disconnect();
  }
}

/** Provides SESSION_STORE and CLOCK to the whole application. Needs RedisConfig from ConfigModule. */
@Module({})
export class SessionStoreModule {
  /** The application does not start (Fault `store.not_durable`) when this Redis may lose what it is given. */
  static forRoot(): DynamicModule {
    return {
      module: SessionStoreModule,
      global: true,
      providers: [
        { provide: CLOCK, useValue: systemClock },
        { provide: STORE_REDIS, inject: [RedisConfig], useFactory: connectDurable },
        {
          provide: SESSION_STORE,
          inject: [STORE_REDIS, RedisConfig],
          useFactory: (redis: Redis, { keyPrefix }: RedisConfig) => new RedisSessionStore(redis, keyPrefix),
        },
        { provide: RedisProbe, inject: [STORE_REDIS], useFactory: (redis: Redis) => new RedisProbe(redis) },
        StoreCloser,
      ],
      exports: [SESSION_STORE, CLOCK, RedisProbe],
    };
  }
}

const connectDurable = async (config: RedisConfig): Promise<Redis> => {
  const redis = connectStore(config);
  const logger = new Logger(SessionStoreModule.name);
  let away = false;
  redis.on('error', (error: Error) => {
    if (!away) logger.error({ message: 'Redis is away, reconnecting', reason: error.message });
    away = true;
  });
  redis.on('ready', () => {
    if (away) logger.log('Redis is back');
    away = false;
  });
  try {
    await assertDurableRedis(redis);
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  return redis;
};
