import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Client, Pool, type PoolClient } from 'pg';
import { systemClock, type Clock } from '@fleet/ports';
import { connectDatabase, migrate, PostgresStore, type Database } from '@fleet/store';
import { startPostgres, type PostgresServer } from './postgres-server.harness';

/** The environment variable with the URL of the template database, for a run of Jest. */
const variable = 'TEST_POSTGRES';
const template = 'template';

/** A database with the schema of this release, used by one store at a time. */
interface TestDatabase {
  readonly pool: Pool;
}

/** Unused databases of this process. */
const free: TestDatabase[] = [];
let emptying: string | undefined;

/**
 * Starts the PostgreSQL of a run of Jest, shared by all of its stores. It is not durable: the product rejects such a
 * server (`store.not_durable`).
 * @public for Jest's global setup
 */
export const startTestStores = async (): Promise<PostgresServer> => {
  const server = await startPostgres([
    ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0'],
    'autovacuum_naptime=5s',
  ]);
  const url = await server.newDatabase(template);
  const db = connectDatabase(url);
  await migrate(db);
  await sql`CREATE SCHEMA first`.execute(db);
  await sql`CREATE TABLE first.launch_line AS TABLE launch_line`.execute(db);
  await db.destroy();
  process.env[variable] = url;
  return server;
};

const urlOf = (name: string): string => {
  const url = process.env[variable];
  if (url === undefined) throw new Error(`${variable} is not set: only Jest starts the PostgreSQL of the tests`);
  return url.replace(`/${template}?`, `/${name}?`);
};

const connect = (name: string): Pool =>
  new Pool({
    connectionString: urlOf(name),
    max: 5,
    allowExitOnIdle: true,
    // As in the service. An open transaction delays the feeds of all databases on the server.
    idle_in_transaction_session_timeout: 10_000,
  })
    .on('error', () => undefined)
    .on('connect', (client) => client.on('error', () => undefined));

const newDatabase = async (): Promise<TestDatabase> => {
  const name = `t${randomBytes(8).toString('hex')}`;
  const admin = new Client({ connectionString: urlOf('postgres') });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  await admin.end();
  return { pool: connect(name) };
};

/** DELETE takes 0.3 ms for empty tables, TRUNCATE 15 ms. Then the initial rows of the migrations are restored. */
const emptyingText = `
  SELECT string_agg(format('DELETE FROM public.%I', tablename), ';') FILTER (WHERE schemaname = 'public' AND tablename <> 'migrations')
    || string_agg(format(';INSERT INTO public.%1$I TABLE first.%1$I', tablename), '') FILTER (WHERE schemaname = 'first') AS text
  FROM pg_tables`;

const empty = async ({ pool }: TestDatabase): Promise<void> => {
  emptying ??= await pool
    .query<{ text: string }>(emptyingText)
    .then(({ rows }) => `SET session_replication_role = replica; ${rows.map(({ text }) => text).join('')}`);
  await pool.query(`${emptying}; SET session_replication_role = DEFAULT`);
};

/** The connections of one store, to a database that is assigned on first use. */
class TestConnections {
  readonly options = {};
  private taken: Promise<TestDatabase> | undefined;
  private isOver = false;

  async connect(): Promise<PoolClient> {
    if (this.isOver) throw new Error('this store was given back: a test that has ended still uses it');
    return (await (this.taken ??= this.take())).pool.connect();
  }

  private async take(): Promise<TestDatabase> {
    await endFinished();
    const known = free.pop();
    if (known === undefined) return newDatabase();
    await empty(known);
    return known;
  }

  /** Ends running statements first. */
  async end(): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    const database = await this.taken;
    if (database === undefined) return;
    const { pool } = database;
    while (pool.totalCount > pool.idleCount) await new Promise((resolve) => setTimeout(resolve, 1));
    free.push(database);
  }
}

/** The public members of a class, so that another implementation of its port may stand in for it. */
type PublicPart<T> = Pick<T, keyof T>;

/** The ports of one store: they share their data. */
export type StorePorts = {
  readonly [Name in Exclude<keyof PostgresStore, 'close'>]: PublicPart<PostgresStore[Name]>;
};

/** A store over a separate empty database, until it ends. */
export class TestStore extends PostgresStore {
  private constructor(
    private readonly own: Database,
    private readonly clock: Clock,
  ) {
    super(own, clock);
  }

  static open(clock: Clock = systemClock): TestStore {
    return new TestStore(new Kysely({ dialect: new PostgresDialect({ pool: new TestConnections() }) }), clock);
  }

  /** The same records, as another process sees them. */
  another(): PostgresStore {
    return new PostgresStore(this.own, this.clock);
  }

  /** Releases its database for another store. */
  async end(): Promise<void> {
    this.close();
    await this.own.destroy();
  }
}

/**
 * Stores of finished tests: they end when the next one is needed, because work that a test has started may outlast it.
 */
let finished: TestStore[] = [];

const endFinished = async (): Promise<void> => {
  const ending = finished;
  finished = [];
  await Promise.all(ending.map((store) => store.end()));
};

/** Opens stores for the tests of a file; one that is opened in a test, or in beforeEach, lasts as long as the test. */
export const useStores = (): ((clock?: Clock) => TestStore) => {
  let isInTest = false;
  let ofTest: TestStore[] = [];
  const ofFile: TestStore[] = [];
  beforeEach(() => {
    isInTest = true;
  });
  afterEach(() => {
    finished.push(...ofTest);
    [isInTest, ofTest] = [false, []];
  });
  afterAll(() => {
    finished.push(...ofFile);
    return endFinished();
  });
  return (clock) => {
    const store = TestStore.open(clock);
    (isInTest ? ofTest : ofFile).push(store);
    return store;
  };
};
