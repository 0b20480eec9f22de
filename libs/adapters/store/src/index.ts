export { connectDatabase, type Database } from './database';
export { migrate } from './migrate';
export { PostgresStore } from './postgres-store';
