import { sql } from 'kysely';
import { isEnded, type SessionHead } from '@fleet/contracts/sessions';
import type { StepSchedule } from '@fleet/ports';
import { groupedCalls, reachingStore, type StoreContext } from '../database';
import { headColumns, headOfRow } from './stored-session';

type Owed = 'wake_at' | 'due_at';
type Version = Pick<SessionHead, 'id' | 'version'>;

export class PostgresStepSchedule implements StepSchedule {
  /** In a backlog every session is sent again after the grace period, and acknowledged. */
  private readonly acknowledging = groupedCalls((group: readonly Version[]) => this.acknowledgeAll(group), 200);

  constructor(private readonly context: StoreContext) {}

  unacknowledged(olderThanMs: number, limit: number, claimMs = 0): Promise<readonly SessionHead[]> {
    return this.owed('wake_at', this.context.clock.now() - olderThanMs, limit, claimMs);
  }

  acknowledge(id: string, version: number): Promise<void> {
    return reachingStore(() => this.acknowledging.call({ id, version }));
  }

  overdue(limit: number, claimMs = 0): Promise<readonly SessionHead[]> {
    return this.owed('due_at', this.context.clock.now(), limit, claimMs);
  }

  postpone(id: string, version: number, dueInMs: number, wakeAgain: boolean): Promise<SessionHead | undefined> {
    const { db, clock } = this.context;
    const now = clock.now();
    return reachingStore(async () => {
      const row = await db
        .with('woken', (made) =>
          made
            .updateTable('sessions')
            .set((eb) => ({ wake_ups: eb('wake_ups', '+', wakeAgain ? 1 : 0) }))
            .where('id', '=', id)
            .where('version', '=', version)
            .where('ended_at', 'is', null)
            .returning(headColumns),
        )
        .with('kept', (made) =>
          made
            .updateTable('owed')
            .from('woken')
            .set({ due_at: new Date(now + dueInMs), ...(wakeAgain && { wake_at: new Date(now) }) })
            .whereRef('owed.session', '=', 'woken.id'),
        )
        .selectFrom('woken')
        .selectAll()
        .executeTakeFirst();
      return row && headOfRow(row);
    });
  }

  countFailure(id: string, version: number): Promise<number> {
    return reachingStore(() =>
      this.context.db.transaction().execute(async (tx) => {
        const row = await tx.selectFrom('sessions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
        if (row?.version !== version || isEnded(row.status)) return 0;
        const { wake_ups: wakeUps, failed_wake_ups: failedAt, failed_in_a_row: before } = row;
        const isOfVersion = row.failed_version === version && failedAt !== null && before !== null;
        if (isOfVersion && failedAt === wakeUps) return before;
        const inARow = isOfVersion && failedAt === wakeUps - 1 ? before + 1 : 1;
        await tx
          .updateTable('sessions')
          .set({ failed_version: version, failed_wake_ups: wakeUps, failed_in_a_row: inARow })
          .where('id', '=', id)
          .execute();
        return inARow;
      }),
    );
  }

  /**
   * A lost acknowledgement only costs a wake-up without work. So it does not wait for the disk, nor for a row that
   * another process is changing.
   */
  private async acknowledgeAll(group: readonly Version[]): Promise<readonly undefined[]> {
    await sql`UPDATE owed SET wake_at = NULL WHERE set_config('synchronous_commit', 'off', true) = 'off' AND session IN (
      SELECT session FROM owed JOIN unnest(${group.map(({ id }) => id)}::text[], ${group.map(({ version }) => version)}::integer[])
        AS given (id, moved) ON session = id AND version = moved
      FOR UPDATE OF owed SKIP LOCKED
    )`.execute(this.context.db);
    return group.map(() => undefined);
  }

  /**
   * The longest-waiting sessions. Concurrent callers get different ones: rows that another one has locked are skipped.
   */
  private owed(column: Owed, until: number, limit: number, claimMs: number): Promise<readonly SessionHead[]> {
    const claims = claimMs > 0;
    const claimed = new Date(until + claimMs);
    return reachingStore(async () => {
      const rows = await this.context.db
        .with('found', (made) =>
          made
            .selectFrom('owed')
            .select(['session', `${column} as since`])
            .where(column, '<=', new Date(until))
            .orderBy(column)
            .limit(limit)
            .$if(claims, (first) => first.forUpdate().skipLocked()),
        )
        .with('claimed', (made) =>
          made
            .updateTable('owed')
            .from('found')
            .set(column === 'wake_at' ? { wake_at: claimed } : { due_at: claimed })
            .whereRef('owed.session', '=', 'found.session')
            .where(sql.lit(claims)),
        )
        .selectFrom('found')
        .innerJoin('sessions', 'sessions.id', 'found.session')
        .select(headColumns)
        .orderBy('found.since')
        .execute();
      return rows.map(headOfRow);
    });
  }
}
