import { RedisConfig, StorageConfig } from '@fleet/config';
import { Fault, isFault } from '@fleet/contracts';
import {
  CLOCK,
  LAUNCH_CONTROL,
  ORPHAN_REGISTER,
  PROGRAM_CATALOGUES,
  RUN_SLOTS,
  SESSION_EVENTS,
  SESSION_INDEX,
  SESSION_RECORDS,
  STEP_SCHEDULE,
  systemClock,
  type Clock,
} from '@fleet/ports';
import { Inject, Injectable, Logger, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { assertDurableRedis, assertOpenRedis } from './durable-redis';
import { assertOwnInstallation } from './installation/own-installation';
import { IdFile } from './installation/id-file';
import { reachingRedis } from './reaching-redis';
import { keysOf } from './keys';
import { RedisClock } from './redis-clock';
import { RedisProbe } from './redis.probe';
import { RedisStore } from './redis-store';
import { RedisLaunchControl } from './runs/redis-launch-control';
import { RedisOrphanRegister } from './runs/redis-orphan-register';
import { RedisRunSlots } from './runs/redis-run-slots';
import { connectStore } from './store-connection';

const STORE_REDIS = Symbol('StoreRedis');
const STORE_CLOCK = Symbol('StoreClock');

/** Closes the store's connections last, when everybody has drained. */
@Injectable()
class StoreCloser implements OnApplicationShutdown {
  constructor(
    @Inject(STORE_REDIS) private readonly redis: Redis,
    private readonly store: RedisStore,
    @Inject(STORE_CLOCK) private readonly clock: RedisClock,
  ) {}

  onApplicationShutdown(): void {
    this.clock.close();
    this.store.close();
    this.redis.disconnect();
  }
}

interface StoreOptions {
  /** Milliseconds that a call to Redis may take; those who wait for an answer want to know sooner than those who try again. */
  readonly patienceMs?: number | undefined;
}

/** Each port of the store, and where the store has it. */
const storePorts = [
  [SESSION_RECORDS, 'records'],
  [STEP_SCHEDULE, 'schedule'],
  [SESSION_EVENTS, 'events'],
  [SESSION_INDEX, 'index'],
  [PROGRAM_CATALOGUES, 'catalogues'],
] as const;

const runPorts = [
  [RUN_SLOTS, RedisRunSlots],
  [LAUNCH_CONTROL, RedisLaunchControl],
  [ORPHAN_REGISTER, RedisOrphanRegister],
] as const;

/**
 * Provides the ports of the store and of runs (`storePorts`, `runPorts`), and CLOCK, to the whole application. Needs RedisConfig from
 * ConfigModule, and takes StorageConfig.
 */
@Module({})
export class SessionStoreModule {
  /**
   * The application does not start when this Redis may lose what it is given (Fault `store.not_durable`), or holds the sessions of another
   * work root than its own (`store.other_installation`).
   */
  static forRoot({ patienceMs }: StoreOptions = {}): DynamicModule {
    return {
      module: SessionStoreModule,
      global: true,
      providers: [
        { provide: CLOCK, useValue: systemClock },
        {
          provide: STORE_REDIS,
          inject: [RedisConfig, { token: StorageConfig, optional: true }],
          useFactory: (config: RedisConfig, storage?: StorageConfig) => connectDurable(config, { patienceMs, storage }),
        },
        { provide: STORE_CLOCK, inject: [STORE_REDIS], useFactory: measuredClock },
        {
          provide: RedisStore,
          inject: [STORE_REDIS, RedisConfig, CLOCK, STORE_CLOCK],
          useFactory: (redis: Redis, { keyPrefix }: RedisConfig, clock: Clock, deadlines: Clock) =>
            new RedisStore(redis, keyPrefix, clock, deadlines),
        },
        ...storePorts.map(([provide, port]) => ({
          provide,
          inject: [RedisStore],
          useFactory: (store: RedisStore) => store[port],
        })),
        ...runPorts.map(([provide, Kind]) => ({
          provide,
          inject: [STORE_REDIS, RedisConfig],
          useFactory: (redis: Redis, { keyPrefix }: RedisConfig) => new Kind(redis, keyPrefix),
        })),
        { provide: RedisProbe, inject: [STORE_REDIS], useFactory: (redis: Redis) => new RedisProbe(redis) },
        StoreCloser,
      ],
      exports: [...[...storePorts, ...runPorts].map(([token]) => token), CLOCK, RedisProbe],
    };
  }
}

const measuredClock = async (redis: Redis): Promise<RedisClock> => {
  const clock = new RedisClock(redis);
  await reachingRedis(redis, () => clock.measure());
  return clock;
};

const connectDurable = async (
  config: RedisConfig,
  { patienceMs, storage }: StoreOptions & { readonly storage: StorageConfig | undefined },
): Promise<Redis> => {
  const redis = connectStore(config, patienceMs);
  const logger = new Logger(SessionStoreModule.name);
  let away = false;
  let why = '';
  redis.on('error', (error: Error) => {
    why = error.message;
    if (!away) logger.error({ message: 'Redis is away, reconnecting', reason: error.message });
    away = true;
  });
  redis.on('ready', () => {
    if (away) logger.log('Redis is back');
    away = false;
  });
  try {
    await reachingRedis(redis, () => assertOpenRedis(redis));
    await reachingRedis(redis, () => assertDurableRedis(redis));
    if (storage !== undefined) {
      const file = new IdFile(storage.workRoot);
      await reachingRedis(redis, () => assertOwnInstallation(redis, keysOf(config.keyPrefix).installation, file));
    }
  } catch (error) {
    redis.disconnect();
    throw isFault(error) && error.kind === 'transient' ? unreachable(why, error) : error;
  }
  return redis;
};

/** The client says how often it tried; the operator wants to know what, and where it is set. */
const unreachable = (why: string, cause: Fault): Fault =>
  new Fault('store.unreachable', 'transient', `the Redis of REDIS_URL cannot be reached: ${why || cause.message}`, {
    cause,
  });
