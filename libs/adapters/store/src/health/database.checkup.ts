import { isIP } from 'node:net';
import type { Finding } from '@fleet/contracts/administration';
import { nameFinding, timeFindings } from '@fleet/observability';
import { allWell, finding, levelOf, type Checkup } from '@fleet/ports';
import { sql } from 'kysely';
import type { Database } from '../database';
import { timeOfDatabase } from '../database-clock';
import { readerRole } from '../statistics/reader-role';
import { databaseState, type DatabaseState } from './database-state';
import { durableSettings, oldestVersion, remedyOf } from './durable-database';

/** Autovacuum removes fewer dead rows than this within minutes. */
const fewDeadRows = 10_000;

/** Checks PostgreSQL: durability, capacity, latency and clock. */
export class DatabaseCheckup implements Checkup {
  readonly area = 'database';

  /**
   * @param host of DATABASE_URL; absent: a Unix socket, without a name to resolve
   * @param longSeconds threshold of a long transaction
   */
  constructor(
    private readonly db: Database,
    private readonly host?: string,
    private readonly longSeconds = 600,
  ) {}

  async check(): Promise<readonly Finding[]> {
    const { host } = this;
    const names = host === undefined || isIP(host) !== 0 ? [] : [await nameFinding('database.name', host, nameAdvice)];
    const state = await databaseState(this.db);
    return [
      ...names,
      versionFinding(state),
      durabilityFinding(state),
      commitFinding(state),
      writingFinding(state),
      connectionsFinding(state),
      allWell('database.size', `The database takes ${gib(state.bytes)} of its disk; how much is free it does not say.`),
      transactionFinding(state, this.longSeconds),
      replicationFinding(state),
      archivingFinding(state),
      await bloatFinding(this.db),
      await readersFinding(this.db),
      ...(await timeFindings(timed, () => timeOfDatabase(this.db))),
    ];
  }
}

const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(2)} GiB`;

const nameAdvice = {
  why: 'Each new connection begins with the name: each failover and restart waits for it.',
  remedy: 'Check the name server of this machine (in a cluster: CoreDNS), and the name in DATABASE_URL.',
};

const versionFinding = ({ version, versionNumber }: DatabaseState): Finding =>
  finding(
    'database.version',
    versionNumber >= oldestVersion * 10_000 ? 'ok' : 'error',
    `PostgreSQL is version ${version}.`,
    {
      why: 'Older versions lack what the schema needs: no service starts on them.',
      remedy: `Use PostgreSQL ${String(oldestVersion)} or later.`,
    },
  );

const durabilityFinding = (state: DatabaseState): Finding => {
  const settings = durableSettings(state);
  const wrong = settings.filter(({ found }) => found !== 'on');
  return finding(
    'database.durability',
    wrong.length === 0 ? 'ok' : 'error',
    `${settings.map(({ setting, found }) => `${setting} is ${found}`).join(', ')}.`,
    {
      why: `No service starts on it: ${wrong.map(({ why }) => why).join(', ')}.`,
      remedy: wrong.map(remedyOf).join(' '),
    },
  );
};

const commitFinding = ({ synchronousCommit }: DatabaseState): Finding =>
  finding(
    'database.synchronous_commit',
    synchronousCommit === 'off' ? 'warning' : 'ok',
    `synchronous_commit is ${synchronousCommit}.`,
    {
      why: 'A crash of the server costs the moves of the last fraction of a second, although they were confirmed: their steps are done again.',
      remedy: "Remove the setting for the services' user and database, or ALTER SYSTEM SET synchronous_commit = on.",
    },
  );

const writingFinding = ({ isReadOnly, isStandby }: DatabaseState): Finding => {
  const seen = isStandby ? 'This server is a standby.' : 'Transactions are read-only.';
  return finding('database.writable', isReadOnly ? 'error' : 'ok', isReadOnly ? seen : 'The database takes writes.', {
    why: 'No session is accepted and none continues.',
    remedy: isStandby
      ? 'Let DATABASE_URL lead to the primary (with CloudNativePG: the service that ends in -rw), or promote this server.'
      : 'Look for default_transaction_read_only in the settings of the server, the database and the user.',
  });
};

const connectionsFinding = ({ connections, connectionLimit }: DatabaseState): Finding => {
  const percent = (connections / connectionLimit) * 100;
  return finding(
    'database.connections',
    levelOf(percent, { warning: 80, error: 95 }),
    `${String(connections)} of ${String(connectionLimit)} connections are in use.`,
    {
      why: 'A process that gets no connection can read and write nothing.',
      remedy:
        'Raise max_connections (the server has to be restarted), or lower DATABASE_CONNECTIONS or the number of replicas (docs/runbooks/database-connections.md).',
    },
  );
};

const transactionFinding = (state: DatabaseState, longSeconds: number): Finding => {
  const { oldestTransactionSeconds: oldest, hiddenConnections: hidden } = state;
  const seen =
    oldest === null ? 'No other transaction is open.' : `The oldest transaction has been open for ${minutes(oldest)}.`;
  const unseen = hidden === 0 ? '' : ` Those of ${String(hidden)} connections of other users are not visible.`;
  return finding(
    'database.transactions',
    oldest !== null && oldest >= longSeconds ? 'warning' : 'ok',
    `${seen}${unseen}`,
    {
      why: 'Event streams wait for a transaction that may still write, and VACUUM keeps every row that an open one may still read.',
      remedy:
        'Find whose it is (pg_stat_activity, pg_prepared_xacts) and end it, for example with pg_terminate_backend (docs/runbooks/database-transactions.md).',
    },
  );
};

const minutes = (seconds: number): string => `${(seconds / 60).toFixed(1)} min`;

const replicationFinding = (state: DatabaseState): Finding => {
  const { standbys, replicationLagBytes: lag, checkpointBytes } = state;
  if (standbys === 0) return allWell('database.replication', 'No standby is connected.');
  if (lag === null)
    return allWell(
      'database.replication',
      `Standbys connected: ${String(standbys)}; how far they are is not visible to this user.`,
    );
  return finding(
    'database.replication',
    lag > checkpointBytes ? 'warning' : 'ok',
    `Standbys connected: ${String(standbys)}; the slowest is ${gib(lag)} of log behind.`,
    {
      why: 'It is more than max_wal_size: a failover would wait for it, or lose it, and the primary may no longer have the log.',
      remedy:
        'Look at the standby: its log, its disk, its network (pg_stat_replication; docs/runbooks/database-replication.md).',
    },
  );
};

const archivingFinding = ({ archives, archivingFails, notArchived }: DatabaseState): Finding => {
  if (!archives) return allWell('database.archiving', 'archive_mode is off: the write-ahead log is not archived.');
  return finding(
    'database.archiving',
    archivingFails ? 'error' : 'ok',
    archivingFails ? `${notArchived ?? 'The log'} could not be archived.` : 'The write-ahead log is archived.',
    {
      why: 'A restore reaches no moment after it, and the log that waits fills the disk of the server.',
      remedy:
        "Look into the server's log for what archive_command says, and at the place that it writes to (docs/runbooks/database-archiving.md).",
    },
  );
};

interface TableRows {
  readonly name: string;
  readonly live: number;
  readonly dead: number;
}

/** Autovacuum begins at a fifth of a table: with as many dead as live rows it has fallen behind. */
const bloatFinding = async (db: Database): Promise<Finding> => {
  const { rows } = await sql<TableRows>`
    SELECT relname AS name, n_live_tup::float8 AS live, n_dead_tup::float8 AS dead
    FROM pg_stat_user_tables WHERE schemaname = current_schema() AND n_dead_tup >= ${fewDeadRows} AND n_dead_tup > n_live_tup
    ORDER BY n_dead_tup DESC`.execute(db);
  const seen = rows.map(({ name, live, dead }) => `${name}: ${String(dead)} dead rows, ${String(live)} live ones`);
  return finding(
    'database.bloat',
    rows.length === 0 ? 'ok' : 'warning',
    rows.length === 0 ? 'No table has more dead rows than live ones.' : `${seen.join('; ')}.`,
    {
      why: 'Tables grow, and every look at them takes longer.',
      remedy: 'Look whether autovacuum is on and not held back by a long transaction, then VACUUM these tables.',
    },
  );
};

/** The reader role is optional: its absence is not a problem. */
const readersFinding = async (db: Database): Promise<Finding> => {
  const { name, reads } = await readerRole(db);
  return allWell(
    'database.readers',
    reads
      ? `Members of the role ${name} may read the views of the schema fleet_public.`
      : `No role may read the views of the schema fleet_public: CREATE ROLE "${name}" NOLOGIN, then restart a service (docs/statistics.md).`,
  );
};

const timed = {
  area: 'database',
  name: 'PostgreSQL',
  latency: {
    why: 'A step makes a few calls one after the other: the loop is as fast as the database answers.',
    remedy: 'Put PostgreSQL near the services, on a machine that is not overloaded, and look for what keeps it busy.',
  },
  clockWhy:
    'Deadlines follow the clock of PostgreSQL; times in records, the expiry of tokens and the order of logs follow each machine.',
} as const;
