export { connectDatabase, type Database } from './database';
export { DatabaseMetrics } from './health/database-metrics';
export { DatabaseCheckup } from './health/database.checkup';
export { DatabaseProbe } from './health/database.probe';
export { migrate } from './migrate';
export { PostgresStore } from './postgres-store';
export { StoreModule, storePorts } from './store.module';
export { StoredWebhooks } from './webhooks/stored-webhooks';
