import { sql } from 'kysely';
import type { Database } from '../database';

/** State of PostgreSQL, as visible to any user. */
export interface DatabaseState {
  /** As reported by the server, for example `16.4`. */
  readonly version: string;
  /** For example 160004. */
  readonly versionNumber: number;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  readonly isStandby: boolean;
  /** Transactions of this connection are read-only: a standby, or a setting. */
  readonly isReadOnly: boolean;
  /** Of all clients of the server. */
  readonly connections: number;
  /** Those not reserved for superusers and administrators. */
  readonly connectionLimit: number;
  /** Of this database on disk, in bytes. */
  readonly bytes: number;
  /** On the whole server, including prepared transactions; null if none is open. */
  readonly oldestTransactionSeconds: number | null;
  /** Connections of other users whose transactions are hidden from this one. */
  readonly hiddenConnections: number;
  readonly standbys: number;
  /** Write-ahead log that the slowest standby has not replayed, in bytes; null if no standby is visible. */
  readonly replicationLagBytes: number | null;
  /** `max_wal_size`, in bytes: roughly what is written between two checkpoints. */
  readonly checkpointBytes: number;
  readonly archives: boolean;
  /** The last attempt to archive a file of the write-ahead log failed. */
  readonly archivingFails: boolean;
  /** The file whose archiving failed last. */
  readonly notArchived: string | null;
}

/** @throws the client's error if the server does not answer, or has revoked default permissions */
export const databaseState = async (db: Database): Promise<DatabaseState> => {
  const { rows } = await sql<DatabaseState>`
    SELECT current_setting('server_version') AS version,
      current_setting('server_version_num')::int AS "versionNumber",
      current_setting('fsync') AS fsync,
      current_setting('full_page_writes') AS "fullPageWrites",
      current_setting('synchronous_commit') AS "synchronousCommit",
      pg_is_in_recovery() AS "isStandby",
      current_setting('transaction_read_only') = 'on' AS "isReadOnly",
      (SELECT coalesce(sum(numbackends), 0)::int FROM pg_stat_database) AS connections,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) AS "connectionLimit",
      pg_database_size(current_database())::float8 AS bytes,
      (SELECT extract(epoch FROM max(clock_timestamp() - began))::float8 FROM (
        SELECT xact_start AS began FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
        UNION ALL SELECT prepared FROM pg_prepared_xacts
      ) AS open) AS "oldestTransactionSeconds",
      (SELECT count(*)::int FROM pg_stat_activity WHERE query = '<insufficient privilege>' AND datid IS NOT NULL) AS "hiddenConnections",
      (SELECT count(*)::int FROM pg_stat_replication) AS standbys,
      CASE WHEN NOT pg_is_in_recovery() THEN
        (SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::float8 FROM pg_stat_replication)
      END AS "replicationLagBytes",
      pg_size_bytes(current_setting('max_wal_size'))::float8 AS "checkpointBytes",
      current_setting('archive_mode') <> 'off' AS archives,
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) AS "archivingFails",
      last_failed_wal AS "notArchived"
    FROM pg_stat_archiver`.execute(db);
  const [state] = rows;
  if (state === undefined) throw new Error('pg_stat_archiver has no row');
  return state;
};
