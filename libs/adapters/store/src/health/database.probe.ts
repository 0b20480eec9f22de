import { sql } from 'kysely';
import type { HealthProbe, HealthReport } from '@fleet/ports';
import type { Database } from '../database';
import type { DatabaseState } from './database-state';
import { durabilityProblems } from './durable-database';

type Answer = Pick<DatabaseState, 'fsync' | 'fullPageWrites' | 'isStandby' | 'isReadOnly'>;

/** Whether PostgreSQL responds, how fast, whether it is writable and durable. */
export class DatabaseProbe implements HealthProbe {
  readonly name = 'database';

  constructor(private readonly db: Database) {}

  async check(): Promise<HealthReport> {
    try {
      const start = performance.now();
      const { rows } = await sql<Answer>`
        SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS "fullPageWrites",
          pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly"`.execute(
        this.db,
      );
      const pingMs = Math.round((performance.now() - start) * 10) / 10;
      const problems = rows.flatMap(problemsOf);
      const detail = {
        pingMs,
        durable: rows.every((row) => durabilityProblems(row).length === 0),
        writable: rows.every(({ isReadOnly }) => !isReadOnly),
      };
      return problems.length === 0
        ? { healthy: true, detail }
        : { healthy: false, detail: { ...detail, reason: problems.join(' ') } };
    } catch (error) {
      return { healthy: false, detail: { reason: error instanceof Error ? error.message : String(error) } };
    }
  }
}

const problemsOf = (answer: Answer): readonly string[] => [
  ...(answer.isReadOnly
    ? [answer.isStandby ? 'DATABASE_URL leads to a standby, which takes no writes.' : 'The database is read-only.']
    : []),
  ...durabilityProblems(answer),
];
