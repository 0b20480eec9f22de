import { RedisConfig, StorageConfig } from '@fleet/config';
import { Fault, isTransient } from '@fleet/contracts';
import {
  ACCESS_KEY_FILES,
  ACCESS_KEYS,
  ARCHIVE_FOLDER,
  BATCH_RECORDS,
  CLOCK,
  DELIVERIES,
  KEY_USES,
  LAUNCH_CONTROL,
  LOGIN_STORE,
  MEMBER_ANSWERS,
  MODEL_WISHES,
  MODEL_BREAKER,
  MODEL_INQUIRIES,
  MODEL_LEDGER,
  ORPHAN_REGISTER,
  PROGRAM_CATALOGUES,
  RATE_LIMITS,
  RUN_SLOTS,
  SESSION_ARCHIVE,
  SESSION_EVENTS,
  SESSION_FEED,
  SESSION_INDEX,
  SESSION_RECORDS,
  SHARES_CONTROL,
  SITE_LOOKS,
  STEP_SCHEDULE,
  systemClock,
  UPLOAD_STORE,
  type AccessKeys,
  type ArchiveFolder,
  type Clock,
} from '@fleet/ports';
import { Inject, Injectable, Logger, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { KeptAccessKeys } from './access/kept-access-keys';
import { RedisAccessKeys } from './access/redis-access-keys';
import { RedisLoginStore } from './access/redis-login-store';
import { RedisMemberAnswers } from './access/redis-member-answers';
import { RedisRateLimits } from './access/redis-rate-limits';
import { ArchivedSessionEvents } from './archive/archived-session-events';
import { ArchivedSessionRecords } from './archive/archived-session-records';
import { assertDurableRedis, assertOpenRedis } from './durable-redis';
import { assertOwnInstallation } from './installation/own-installation';
import { IdFile } from './installation/id-file';
import { RedisModelWishes } from './models/redis-model-wishes';
import { RedisModelBreaker } from './models/redis-model-breaker';
import { RedisModelInquiries } from './models/redis-model-inquiries';
import { RedisModelLedger } from './models/redis-model-ledger';
import { assertPermittedRedis } from './permitted-redis';
import { reachingRedis } from './reaching-redis';
import { keysOf } from './keys';
import { RedisClock } from './redis-clock';
import { RedisCheckup } from './redis.checkup';
import { RedisFigures } from './redis-figures';
import { RedisProbe } from './redis.probe';
import { RedisStore } from './redis-store';
import { RedisLaunchControl } from './runs/redis-launch-control';
import { RedisOrphanRegister } from './runs/redis-orphan-register';
import { RedisRunSlots } from './runs/redis-run-slots';
import { RedisSharesControl } from './runs/redis-shares-control';
import { connectStore } from './store-connection';
import { RedisSiteLooks } from './site/redis-site-looks';
import { RedisUploadStore } from './uploads/redis-upload-store';

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
  readonly timeoutMs?: number | undefined;
}

type ArchivedPorts = Pick<RedisStore, 'records' | 'events'>;
const ARCHIVED_PORTS = Symbol('ArchivedPorts');

/** The ports that answer for archived sessions too; as the store has them where the application knows no session folders. */
const archivedPorts = ({ records, events, archive }: RedisStore, folder?: ArchiveFolder): ArchivedPorts =>
  folder === undefined
    ? { records, events }
    : {
        records: new ArchivedSessionRecords(records, archive, folder),
        events: new ArchivedSessionEvents(events, archive, folder),
      };

/** Each port that reads archived sessions too, and where it is. */
const readingPorts = [
  [SESSION_RECORDS, 'records'],
  [SESSION_EVENTS, 'events'],
] as const;

/** Each port of the store alone, and where the store has it. */
const storePorts = [
  [STEP_SCHEDULE, 'schedule'],
  [SESSION_INDEX, 'index'],
  [SESSION_FEED, 'feed'],
  [SESSION_ARCHIVE, 'archive'],
  [PROGRAM_CATALOGUES, 'catalogues'],
  [BATCH_RECORDS, 'batches'],
  [DELIVERIES, 'deliveries'],
] as const;

const runPorts = [
  [RUN_SLOTS, RedisRunSlots],
  [LAUNCH_CONTROL, RedisLaunchControl],
  [SHARES_CONTROL, RedisSharesControl],
  [ORPHAN_REGISTER, RedisOrphanRegister],
  [KEY_USES, RedisAccessKeys],
  [LOGIN_STORE, RedisLoginStore],
  [UPLOAD_STORE, RedisUploadStore],
  [RATE_LIMITS, RedisRateLimits],
  [MEMBER_ANSWERS, RedisMemberAnswers],
  [MODEL_LEDGER, RedisModelLedger],
  [MODEL_BREAKER, RedisModelBreaker],
  [MODEL_INQUIRIES, RedisModelInquiries],
  [MODEL_WISHES, RedisModelWishes],
  [SITE_LOOKS, RedisSiteLooks],
] as const;

/**
 * Provides the ports of the store and of runs (`readingPorts`, `storePorts`, `runPorts`), and CLOCK, to the whole application. Needs
 * RedisConfig from ConfigModule, and takes StorageConfig, and ARCHIVE_FOLDER from SessionFolderModule.
 */
@Module({})
export class SessionStoreModule {
  /**
   * The application does not start when this Redis does not permit what the services need (Fault `store.misconfigured`), may lose what it is
   * given (`store.not_durable`), or holds the sessions of another work root than its own (`store.other_installation`).
   */
  static forRoot({ timeoutMs }: StoreOptions = {}): DynamicModule {
    return {
      module: SessionStoreModule,
      global: true,
      providers: [
        { provide: CLOCK, useValue: systemClock },
        {
          provide: STORE_REDIS,
          inject: [RedisConfig, { token: StorageConfig, optional: true }],
          useFactory: (config: RedisConfig, storage?: StorageConfig) => connectDurable(config, { timeoutMs, storage }),
        },
        { provide: STORE_CLOCK, inject: [STORE_REDIS], useFactory: measuredClock },
        {
          provide: RedisStore,
          inject: [STORE_REDIS, RedisConfig, CLOCK, STORE_CLOCK],
          useFactory: (redis: Redis, { keyPrefix }: RedisConfig, clock: Clock, deadlines: Clock) =>
            new RedisStore(redis, keyPrefix, clock, deadlines),
        },
        {
          provide: ARCHIVED_PORTS,
          inject: [RedisStore, { token: ARCHIVE_FOLDER, optional: true }],
          useFactory: archivedPorts,
        },
        ...readingPorts.map(([provide, port]) => ({
          provide,
          inject: [ARCHIVED_PORTS],
          useFactory: (ports: ArchivedPorts) => ports[port],
        })),
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
        {
          provide: ACCESS_KEYS,
          inject: [KEY_USES, { token: ACCESS_KEY_FILES, optional: true }],
          useFactory: (keys: RedisAccessKeys, files?: AccessKeys): AccessKeys =>
            files === undefined ? keys : new KeptAccessKeys(keys, files),
        },
        { provide: RedisProbe, inject: [STORE_REDIS, RedisConfig], useFactory: probeOf },
        { provide: RedisCheckup, inject: [STORE_REDIS], useFactory: (redis: Redis) => new RedisCheckup(redis) },
        { provide: RedisFigures, inject: [STORE_REDIS], useFactory: (redis: Redis) => new RedisFigures(redis) },
        StoreCloser,
      ],
      exports: [
        ...[...readingPorts, ...storePorts, ...runPorts].map(([token]) => token),
        ACCESS_KEYS,
        CLOCK,
        RedisCheckup,
        RedisFigures,
        RedisProbe,
        RedisStore,
      ],
    };
  }
}

const probeOf = (redis: Redis, { keyPrefix }: RedisConfig): RedisProbe => new RedisProbe(redis, keyPrefix);

const measuredClock = async (redis: Redis): Promise<RedisClock> => {
  const clock = new RedisClock(redis);
  await reachingRedis(redis, () => clock.measure());
  return clock;
};

const connectDurable = async (
  config: RedisConfig,
  { timeoutMs, storage }: StoreOptions & { readonly storage: StorageConfig | undefined },
): Promise<Redis> => {
  const redis = connectStore(config, timeoutMs);
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
    const isOpen = (): Promise<void> => reachingRedis(redis, () => assertOpenRedis(redis));
    // A process that starts on a busy machine reads its first answer after the time limit: where no connection failed, one more call decides.
    await isOpen().catch((error: unknown) => {
      if (!isTransient(error) || away) throw error;
      return isOpen();
    });
    await assertPermittedRedis(redis, config.keyPrefix);
    await reachingRedis(redis, () => assertDurableRedis(redis));
    if (storage !== undefined) {
      const file = new IdFile(storage.workRoot);
      await reachingRedis(redis, () => assertOwnInstallation(redis, keysOf(config.keyPrefix).installation, file));
    }
  } catch (error) {
    redis.disconnect();
    throw isTransient(error) ? unreachable(why, error) : error;
  }
  return redis;
};

/** The client says how often it tried; the operator wants to know what, and where it is set. */
const unreachable = (why: string, cause: Fault): Fault =>
  new Fault('store.unreachable', 'transient', `the Redis of REDIS_URL cannot be reached: ${why || cause.message}`, {
    cause,
  });
