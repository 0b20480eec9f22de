import { sql } from 'kysely';
import type { OwedFile, OwedFiles } from '@fleet/ports';
import { reachingStore, timeIn, type StoreContext } from '../database';
import { GroupedCalls } from '../grouped-calls';

export class PostgresOwedFiles implements OwedFiles {
  private readonly settling = new GroupedCalls<OwedFile, undefined>((group) => this.settleAll(group), {
    largest: 16,
  });

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
        .returning(['session', 'transaction'])
        .execute();
      return rows.map(({ session, transaction }) => ({ sessionId: session, move: transaction }));
    });
  }

  settle(owed: OwedFile): Promise<void> {
    return this.settling.call(owed);
  }

  private async settleAll(group: readonly OwedFile[]): Promise<readonly undefined[]> {
    const { context } = this;
    const sessions = group.map(({ sessionId }) => sessionId);
    await reachingStore(() =>
      sql`WITH settled AS (
        DELETE FROM owed_files USING unnest(${sessions}::text[], ${group.map(({ move }) => move)}::text[]) AS given (id, move)
        WHERE session = given.id AND transaction = given.move::xid8 RETURNING session
      )
      INSERT INTO owed_files (session, due_at)
      SELECT id, ${timeIn(context)}::timestamptz FROM sessions
      WHERE id = ANY(${sessions}) AND id NOT IN (SELECT session FROM settled)
        AND purge_claimed_at IS NULL AND folder_purged_at IS NULL
      ON CONFLICT (session) DO UPDATE SET due_at = excluded.due_at`.execute(context.db),
    );
    return group.map(() => undefined);
  }
}
