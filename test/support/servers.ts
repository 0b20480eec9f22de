import { Client } from 'pg';
import { connectDatabase, migrate, PostgresStore } from '@fleet/store';
import type { Clock } from '@fleet/ports';
import { startPostgres, startRedis, type PostgresServer, type RedisServer } from '@fleet/testing';

/** A PostgreSQL and a Redis of a test's own. */
export interface Servers {
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  /** The address of the database that services share. */
  readonly databaseUrl: string;
  /** What services are given of both. */
  readonly env: { readonly DATABASE_URL: string; readonly REDIS_URL: string };
  /** Loses every record, as a database does that was made again. */
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
    emptyDatabase: () => emptyDatabase(databaseUrl),
    stop: async () => {
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
};

/** Loses every record of a database. */
export const emptyDatabase = async (databaseUrl: string): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
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
