import { reading, type Reading } from '@fleet/ports';
import type { Database } from '../database';
import { databaseState } from './database-state';
import { durabilityProblems } from './durable-database';

/**
 * PostgreSQL metrics of connections, transactions, size and replicas; values that do not exist or are hidden are
 * absent.
 */
export class DatabaseMetrics {
  constructor(private readonly db: Database) {}

  /** @throws the client's error if PostgreSQL does not answer */
  async read(): Promise<readonly Reading[]> {
    const state = await databaseState(this.db);
    return [
      reading('phenix_fleet_database_connections', {}, state.connections),
      reading('phenix_fleet_database_connections_limit', {}, state.connectionLimit),
      reading('phenix_fleet_database_bytes', {}, state.bytes),
      reading('phenix_fleet_database_oldest_transaction_seconds', {}, state.oldestTransactionSeconds ?? 0),
      reading('phenix_fleet_database_durable', {}, Number(durabilityProblems(state).length === 0)),
      ...(state.replicationLagBytes === null
        ? []
        : [reading('phenix_fleet_database_replication_lag_bytes', {}, state.replicationLagBytes)]),
      ...(state.archives ? [reading('phenix_fleet_database_archiving_ok', {}, Number(!state.archivingFails))] : []),
    ];
  }
}
