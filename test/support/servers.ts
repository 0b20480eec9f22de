import { Client } from 'pg';
import { connectDatabase, migrate, PostgresStore } from '@fleet/store';
import type { Clock } from '@fleet/ports';
import { eventually, startPostgres, startRedis, type PostgresServer, type RedisServer } from '@fleet/testing';

/** A PostgreSQL and a Redis of a test's own. */
export interface Servers {
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  /** The address of the database that services share. */
  readonly databaseUrl: string;
  /** What services are given of both. */
  readonly env: { readonly DATABASE_URL: string; readonly REDIS_URL: string };
  /** Waits until every `session.json` tells of its session as it is. */
  foldersFollowed(): Promise<void>;
  /** Loses every record, as a database does that was made again, once the folders have followed. */
  emptyDatabase(): Promise<void>;
  stop(): Promise<void>;
}

/** @param ofRedis settings, for example `['--appendonly', 'no']` */
export const startServers = async (ofRedis: readonly string[] = []): Promise<Servers> => {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis(ofRedis)]);
  const databaseUrl = await postgres.newDatabase();
  return {
    postgres,
    redis,
    databaseUrl,
    env: { DATABASE_URL: databaseUrl, REDIS_URL: redis.url },
    foldersFollowed: () => foldersFollowed(databaseUrl),
    emptyDatabase: async () => {
      await foldersFollowed(databaseUrl);
      await emptyDatabase(databaseUrl);
    },
    stop: async () => {
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
};

const connected = async (databaseUrl: string): Promise<Client> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  return client;
};

/** Needs a gateway that runs: it writes them. */
const foldersFollowed = async (databaseUrl: string): Promise<void> => {
  const client = await connected(databaseUrl);
  await eventually('the last session.json', async () => (await client.query('SELECT FROM owed_files')).rowCount === 0);
  await client.end();
};

/** Loses every record of a database. */
export const emptyDatabase = async (databaseUrl: string): Promise<void> => {
  const client = await connected(databaseUrl);
  const { rows } = await client.query<{ tables: string }>(
    "SELECT string_agg(quote_ident(tablename), ', ') AS tables FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'installation')",
  );
  await client.query(`TRUNCATE ${rows[0]?.tables ?? ''}`);
  await client.end();
};

/** A store with connections of its own. */
export interface OpenStore {
  readonly store: PostgresStore;
  readonly close: () => Promise<void>;
}

/** Opens the store of a database, whose schema is made where it is missing. */
export const openStore = async (databaseUrl: string, clock?: Clock): Promise<OpenStore> => {
  const db = connectDatabase(databaseUrl);
  await migrate(db);
  const store = new PostgresStore(db, clock);
  return {
    store,
    close: async () => {
      store.close();
      await db.destroy();
    },
  };
};
