import { sql, type SqlBool } from 'kysely';
import type { OwedFile, OwedFiles } from '@fleet/ports';
import { reachingStore, timeIn, type StoreContext } from '../database';

/** A claim or a confirmation that is lost costs one more writing of the same files. So neither waits for the disk. */
const withoutWaiting = sql<SqlBool>`set_config('synchronous_commit', 'off', true) = 'off'`;

export class PostgresOwedFiles implements OwedFiles {
  constructor(private readonly context: StoreContext) {}

  claim(limit: number, claimMs: number): Promise<readonly OwedFile[]> {
    const { context } = this;
    return reachingStore(async () => {
      const rows = await context.db
        .updateTable('owed_files')
        .set({ due_at: timeIn(context, claimMs) })
        .where('session', 'in', (eb) =>
          eb
            .selectFrom('owed_files')
            .select('session')
            .where('due_at', '<=', timeIn(context))
            .orderBy('due_at')
            .limit(limit)
            .forUpdate()
            .skipLocked(),
        )
        .where(withoutWaiting)
        .returning(['session', 'transaction'])
        .execute();
      return rows.map(({ session, transaction }) => ({ sessionId: session, move: transaction }));
    });
  }

  async settle(owed: readonly OwedFile[]): Promise<void> {
    if (owed.length === 0) return;
    const { context } = this;
    const sessions = owed.map(({ sessionId }) => sessionId);
    await reachingStore(() =>
      sql`WITH settled AS (
        DELETE FROM owed_files USING unnest(${sessions}::text[], ${owed.map(({ move }) => move)}::text[]) AS given (id, move)
        WHERE session = given.id AND transaction = given.move::xid8 AND ${withoutWaiting} RETURNING session
      )
      INSERT INTO owed_files (session, due_at)
      SELECT id, ${timeIn(context)}::timestamptz FROM sessions
      WHERE id = ANY(${sessions}) AND id NOT IN (SELECT session FROM settled)
        AND purge_claimed_at IS NULL AND folder_purged_at IS NULL
      ON CONFLICT (session) DO UPDATE SET due_at = excluded.due_at`.execute(context.db),
    );
  }
}
