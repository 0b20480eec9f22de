import { ConfigModule, DatabaseConfig } from '@fleet/config';
import { eventually, startPostgres, useStarted } from '@fleet/testing';
import { NestFactory } from '@nestjs/core';
import { sql } from 'kysely';
import { connectDatabase } from './database';
import { migrationLock, migrations } from './migrate';
import { StoreModule } from './store.module';

/** Statement timeout of the service in this test, in milliseconds. */
const timeoutMs = 1_000;

describe('a starting service', () => {
  const server = useStarted('file', () => startPostgres());

  it("waits for another one's migration for longer than its statement timeout", async () => {
    const url = await server.newDatabase();
    const other = connectDatabase(url);
    const started = await other.connection().execute(async (holder) => {
      await sql`SELECT pg_advisory_lock(${migrationLock})`.execute(holder);
      const starting = NestFactory.createApplicationContext(
        {
          ...StoreModule.forRoot({ timeoutMs }),
          imports: [ConfigModule.forRoot([DatabaseConfig], { DATABASE_URL: url })],
        },
        { logger: false, abortOnError: false },
      );
      await Promise.race([
        starting,
        eventually('a service that has waited for long', async () => {
          const { rows } = await sql`SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
            WHERE locktype = 'advisory' AND NOT granted AND now() - query_start > ${`${String(2 * timeoutMs)} ms`}::interval`.execute(
            holder,
          );
          return rows.length > 0;
        }),
      ]);
      await sql`SELECT pg_advisory_unlock(${migrationLock})`.execute(holder);
      return starting;
    });
    const { rows } = await sql<{ newest: number }>`SELECT max(number) AS newest FROM migrations`.execute(other);
    expect(rows[0]?.newest).toBe(Math.max(...migrations.map(({ number }) => number)));
    await started.close();
    await other.destroy();
  });
});
