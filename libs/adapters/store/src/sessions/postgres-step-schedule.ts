import { sql } from 'kysely';
import { isEnded, type SessionHead } from '@fleet/contracts';
import type { StepSchedule } from '@fleet/ports';
import { reachingStore, type Database, type StoreContext } from '../database';
import { headOfRow } from './stored-session';

type Owed = 'wake_at' | 'due_at';

/** True. Its transaction does not wait for the disk: an acknowledgement that is lost costs a wake-up that finds nothing to do. */
const lazily = sql<boolean>`set_config('synchronous_commit', 'off', true) = 'off'`;

export class PostgresStepSchedule implements StepSchedule {
  constructor(private readonly context: StoreContext) {}

  unacknowledged(olderThanMs: number, limit: number, claimMs = 0): Promise<readonly SessionHead[]> {
    return this.owed('wake_at', this.context.clock.now() - olderThanMs, limit, claimMs);
  }

  async acknowledge(id: string, version: number): Promise<void> {
    await reachingStore(() =>
      this.context.db
        .updateTable('sessions')
        .set({ wake_at: null })
        .where('id', '=', id)
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
    return reachingStore(async () => {
      const row = await this.context.db
        .updateTable('sessions')
        .set((eb) => ({
          due_at: new Date(now + dueInMs),
          ...(wakeAgain && { wake_ups: eb('wake_ups', '+', 1), wake_at: new Date(now) }),
        }))
        .where('id', '=', id)
        .where('version', '=', version)
        .where('ended_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : headOfRow(row);
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

  /** Those that wait longest. Of many that claim each has other ones: rows that somebody else holds are passed over. */
  private owed(column: Owed, until: number, limit: number, claimMs: number): Promise<readonly SessionHead[]> {
    const { db } = this.context;
    const first = (from: Database) =>
      from.selectFrom('sessions').selectAll().where(column, '<=', new Date(until)).orderBy(column).limit(limit);
    return reachingStore(async () => {
      if (claimMs <= 0) return (await first(db).execute()).map(headOfRow);
      return db.transaction().execute(async (tx) => {
        const rows = await first(tx).forUpdate().skipLocked().execute();
        const ids = rows.map(({ id }) => id);
        const claimed = new Date(until + claimMs);
        if (ids.length > 0)
          await tx
            .updateTable('sessions')
            .set(column === 'wake_at' ? { wake_at: claimed } : { due_at: claimed })
            .where('id', 'in', ids)
            .execute();
        return rows.map(headOfRow);
      });
    });
  }
}
