import type { MetricDescription } from './metric-words';

/** Metrics of what holds files, records and queues: the work volume, PostgreSQL and Redis. */
export const storageMetrics = {
  phenix_fleet_work_volume_bytes: {
    type: 'gauge',
    unit: 'bytes',
    by: 'executor',
    what: 'of the volume that holds the work root, as the executor has it mounted; `free`: for programs, which are not root. Executors tell the same: take the least. Absent while its file server does not answer',
    labels: { state: ['free', 'total'] },
  },
  phenix_fleet_work_volume_inodes: {
    type: 'gauge',
    unit: 'inodes',
    by: 'executor',
    what: 'the same of its files and folders; absent where the file system has no number of them',
    labels: { state: ['free', 'total'] },
  },
  phenix_fleet_redis_memory_bytes: {
    type: 'gauge',
    unit: 'bytes',
    by: 'fleet',
    what: 'memory that Redis uses',
    labels: {},
  },
  phenix_fleet_redis_memory_limit_bytes: {
    type: 'gauge',
    unit: 'bytes',
    by: 'fleet',
    what: "Redis' maxmemory: at it no step is queued; absent where there is no limit",
    labels: {},
  },
  phenix_fleet_database_connections: {
    type: 'gauge',
    unit: 'connections',
    by: 'fleet',
    what: 'connections to the PostgreSQL server, those of other programs too',
    labels: {},
  },
  phenix_fleet_database_connections_limit: {
    type: 'gauge',
    unit: 'connections',
    by: 'fleet',
    what: '`max_connections` of the server without those that it reserves for administrators',
    labels: {},
  },
  phenix_fleet_database_bytes: {
    type: 'gauge',
    unit: 'bytes',
    by: 'fleet',
    what: 'size of the database on disk',
    labels: {},
  },
  phenix_fleet_database_oldest_transaction_seconds: {
    type: 'gauge',
    unit: 'seconds',
    by: 'fleet',
    what: 'age of the oldest open transaction of the server, as far as the user of the services sees it; 0 where none is open',
    labels: {},
  },
  phenix_fleet_database_durable: {
    type: 'gauge',
    unit: '1 or 0',
    by: 'fleet',
    what: '0 where `fsync` or `full_page_writes` is off: a power failure may destroy the database',
    labels: {},
  },
  phenix_fleet_database_replication_lag_bytes: {
    type: 'gauge',
    unit: 'bytes',
    by: 'fleet',
    what: 'write-ahead log that the slowest standby has not replayed; absent where no standby is seen',
    labels: {},
  },
  phenix_fleet_database_archiving_ok: {
    type: 'gauge',
    unit: '1 or 0',
    by: 'fleet',
    what: '0 where the last try to archive the write-ahead log failed; absent where `archive_mode` is off',
    labels: {},
  },
} as const satisfies Readonly<Record<string, MetricDescription>>;
