import {
  databaseAddresses,
  DatabaseConfig,
  databaseConnection,
  StorageConfig,
  type DatabaseConnection,
} from '@fleet/config';
import { Fault, isTransient } from '@fleet/contracts/faults';
import {
  ACCESS_KEY_FILES,
  ACCESS_KEYS,
  BATCH_RECORDS,
  CLOCK,
  DELIVERIES,
  KEY_USES,
  LAUNCH_CONTROL,
  MODEL_LEDGER,
  TEXT_REQUESTS,
  ORPHAN_REGISTER,
  OWED_FILES,
  PROGRAM_CATALOGUES,
  RUN_SLOTS,
  SESSION_EVENTS,
  SESSION_FEED,
  SESSION_INDEX,
  SESSION_RECORDS,
  SESSION_RETENTION,
  SHARES_CONTROL,
  STATISTICS,
  STEP_SCHEDULE,
  systemClock,
  UPLOAD_STORE,
  type AccessKeys,
} from '@fleet/ports';
import { Inject, Injectable, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { KeptAccessKeys } from './access/kept-access-keys';
import { connectDatabase, reachingStore, type Database } from './database';
import { DatabaseClock } from './database-clock';
import { DatabaseMetrics } from './health/database-metrics';
import { DatabaseCheckup } from './health/database.checkup';
import { DatabaseProbe } from './health/database.probe';
import { assertDurableDatabase } from './health/durable-database';
import { IdFile } from './installation/id-file';
import { assertOwnInstallation } from './installation/own-installation';
import { migrate } from './migrate';
import { PostgresStore } from './postgres-store';

const DATABASE = Symbol('Database');

/** Closes the connections last, after all modules have drained. */
@Injectable()
class StoreCloser implements OnApplicationShutdown {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    private readonly store: PostgresStore,
    private readonly clock: DatabaseClock,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    this.clock.close();
    this.store.close();
    await this.db.destroy();
  }
}

interface StoreOptions {
  /** Statement timeout in milliseconds; shorter for processes that answer users than for those that retry. */
  readonly timeoutMs?: number | undefined;
}

/** Each port, and its implementation. */
export const storePorts = [
  [SESSION_RECORDS, 'records'],
  [SESSION_EVENTS, 'events'],
  [STEP_SCHEDULE, 'schedule'],
  [OWED_FILES, 'owedFiles'],
  [SESSION_INDEX, 'index'],
  [SESSION_RETENTION, 'retention'],
  [STATISTICS, 'statistics'],
  [SESSION_FEED, 'feed'],
  [PROGRAM_CATALOGUES, 'catalogues'],
  [BATCH_RECORDS, 'batches'],
  [DELIVERIES, 'deliveries'],
  [RUN_SLOTS, 'slots'],
  [LAUNCH_CONTROL, 'launches'],
  [SHARES_CONTROL, 'shares'],
  [ORPHAN_REGISTER, 'orphans'],
  [KEY_USES, 'keys'],
  [UPLOAD_STORE, 'uploads'],
  [MODEL_LEDGER, 'ledger'],
  [TEXT_REQUESTS, 'textRequests'],
] as const;

/**
 * Provides the ports of the store, and CLOCK, to the whole application. Needs DatabaseConfig from ConfigModule; uses
 * StorageConfig, and ACCESS_KEY_FILES from SessionFolderModule, if present.
 */
@Module({})
export class StoreModule {
  /**
   * Migrates the schema. The application does not start on a database that is too old (Fault `store.misconfigured`),
   * may lose data (`store.not_durable`), was migrated by a later release (`store.newer`), or belongs to another work
   * root (`store.other_installation`).
   */
  static forRoot({ timeoutMs }: StoreOptions = {}): DynamicModule {
    return {
      module: StoreModule,
      global: true,
      providers: [
        { provide: CLOCK, useValue: systemClock },
        {
          provide: DATABASE,
          inject: [DatabaseConfig, { token: StorageConfig, optional: true }],
          useFactory: (config: DatabaseConfig, storage?: StorageConfig) => openDatabase(config, { timeoutMs, storage }),
        },
        { provide: DatabaseClock, inject: [DATABASE], useFactory: measuredClock },
        {
          provide: PostgresStore,
          inject: [DATABASE, DatabaseClock],
          useFactory: (db: Database, clock: DatabaseClock) => new PostgresStore(db, clock),
        },
        ...storePorts.map(([provide, port]) => ({
          provide,
          inject: [PostgresStore],
          useFactory: (store: PostgresStore) => store[port],
        })),
        {
          provide: ACCESS_KEYS,
          inject: [PostgresStore, { token: ACCESS_KEY_FILES, optional: true }],
          useFactory: ({ keys }: PostgresStore, files?: AccessKeys): AccessKeys =>
            files === undefined ? keys : new KeptAccessKeys(keys, files),
        },
        {
          provide: DatabaseCheckup,
          inject: [DATABASE, DatabaseConfig],
          useFactory: (db: Database, config: DatabaseConfig) =>
            new DatabaseCheckup(db, databaseAddresses(config)[0]?.host),
        },
        ...[DatabaseProbe, DatabaseMetrics].map((Kind) => ({
          provide: Kind,
          inject: [DATABASE],
          useFactory: (db: Database) => new Kind(db),
        })),
        StoreCloser,
      ],
      exports: [
        ...storePorts.map(([token]) => token),
        ACCESS_KEYS,
        CLOCK,
        DatabaseCheckup,
        DatabaseMetrics,
        DatabaseProbe,
        PostgresStore,
      ],
    };
  }
}

const measuredClock = async (db: Database): Promise<DatabaseClock> => {
  const clock = new DatabaseClock(db);
  await clock.measure();
  return clock;
};

/**
 * Milliseconds. An index over a million sessions takes longer than a request may, and a process that starts on a busy
 * machine is slow; a pod has 300 s to start (the chart's startup probe).
 */
const startingMs = 240_000;

/** Checks and migrates the database over a separate connection, which may take longer than the statements of a service. */
const prepareDatabase = async (connection: DatabaseConnection, storage: StorageConfig | undefined): Promise<void> => {
  const db = connectDatabase(connection, { connections: 1, timeoutMs: startingMs, idleMs: startingMs });
  try {
    await assertDurableDatabase(db);
    await reachingStore(() => migrate(db));
    if (storage !== undefined) await assertOwnInstallation(db, new IdFile(storage.workRoot));
  } catch (error) {
    throw isTransient(error) ? unreachable(error) : error;
  } finally {
    await db.destroy();
  }
};

const openDatabase = async (
  config: DatabaseConfig,
  { timeoutMs, storage }: StoreOptions & { readonly storage: StorageConfig | undefined },
): Promise<Database> => {
  const connection = databaseConnection(config);
  await prepareDatabase(connection, storage);
  return connectDatabase(connection, {
    connections: config.connections,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
};

/** The operator needs to know what is unreachable, and which variable sets it. */
const unreachable = (cause: Fault): Fault =>
  new Fault('store.unreachable', 'transient', `the PostgreSQL of DATABASE_URL cannot be reached: ${cause.message}`, {
    cause,
  });
