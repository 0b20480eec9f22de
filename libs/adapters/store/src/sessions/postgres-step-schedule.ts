import { sql } from 'kysely';
import { isEnded, type SessionHead } from '@fleet/contracts/sessions';
import type { StepSchedule } from '@fleet/ports';
import { reachingStore, type Database, type StoreContext } from '../database';
import { headOfRow } from './stored-session';

type Owed = 'wake_at' | 'due_at';

/**
 * Always true. Its transaction does not wait for the disk: a lost acknowledgement only costs a wake-up without work.
 */
const lazily = sql<boolean>`set_config('synchronous_commit', 'off', true) = 'off'`;

export class PostgresStepSchedule implements StepSchedule {
  constructor(private readonly context: StoreContext) {}

  unacknowledged(olderThanMs: number, limit: number, claimMs = 0): Promise<readonly SessionHead[]> {
    return this.owed('wake_at', this.context.clock.now() - olderThanMs, limit, claimMs);
  }

  async acknowledge(id: string, version: number): Promise<void> {
    await reachingStore(() =>
      this.context.db
        .updateTable('owed')
        .set({ wake_at: null })
        .where('session', '=', id)
        .where('version', '=', version)
        .where(lazily)
        .execute(),
    );
  }

  overdue(limit: number, claimMs = 0): Promise<readonly SessionHead[]> {
    return this.owed('due_at', this.context.clock.now(), limit, claimMs);
  }

  postpone(id: string, version: number, dueInMs: number, wakeAgain: boolean): Promise<SessionHead | undefined> {
    const now = this.context.clock.now();
    return reachingStore(() =>
      this.context.db.transaction().execute(async (tx) => {
        const row = await tx
          .updateTable('sessions')
          .set((eb) => ({ wake_ups: eb('wake_ups', '+', wakeAgain ? 1 : 0) }))
          .where('id', '=', id)
          .where('version', '=', version)
          .where('ended_at', 'is', null)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return undefined;
        await tx
          .updateTable('owed')
          .set({ due_at: new Date(now + dueInMs), ...(wakeAgain && { wake_at: new Date(now) }) })
          .where('session', '=', id)
          .execute();
        return headOfRow(row);
      }),
    );
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
   * The longest-waiting sessions. Concurrent callers get different ones: rows that another one has locked are skipped.
   */
  private owed(column: Owed, until: number, limit: number, claimMs: number): Promise<readonly SessionHead[]> {
    const { db } = this.context;
    const first = (from: Database) =>
      from
        .selectFrom('owed')
        .innerJoin('sessions', 'sessions.id', 'owed.session')
        .selectAll('sessions')
        .where(`owed.${column}`, '<=', new Date(until))
        .orderBy(`owed.${column}`)
        .limit(limit);
    return reachingStore(async () => {
      if (claimMs <= 0) return (await first(db).execute()).map(headOfRow);
      return db.transaction().execute(async (tx) => {
        const rows = await first(tx).forUpdate('owed').skipLocked().execute();
        const ids = rows.map(({ id }) => id);
        const claimed = new Date(until + claimMs);
        if (ids.length > 0)
          await tx
            .updateTable('owed')
            .set(column === 'wake_at' ? { wake_at: claimed } : { due_at: claimed })
            .where('session', 'in', ids)
            .execute();
        return rows.map(headOfRow);
      });
    });
  }
}
