import { sql, type ExpressionBuilder, type Selectable, type SqlBool } from 'kysely';
import type { Pin } from '@fleet/contracts/retention';
import type { Upload } from '@fleet/contracts/uploads';
import {
  timeCursor,
  type BegunPurge,
  type DataOwner,
  type RetainedPage,
  type RetainedSession,
  type SessionRetentionRecords,
} from '@fleet/ports';
import { reachingStore, timeIn, type StoreContext } from '../database';
import { readTimeCursor } from '../list-cursor';
import type { Tables } from '../tables';
import { notify } from '../webhooks/notices';
import { isUpload } from '../uploads/postgres-upload-store';
import type { SessionsTable } from './session-tables';
import { begun, pinOf, retained } from './retained-session';

type Sessions = ExpressionBuilder<Tables, 'sessions'>;

/** Columns that decide `isPurged`. */
export const purgeColumns = ['purge_claimed_at', 'folder_purged_at'] as const;

/** Whether the files of a session are deleted, or being deleted. */
export const isPurged = ({
  purge_claimed_at: claimed,
  folder_purged_at: purged,
}: Pick<Selectable<SessionsTable>, (typeof purgeColumns)[number]>): boolean => claimed !== null || purged !== null;

/** Sessions whose inputs are in this session's folder, and that still have their own folder. */
const users = sql`FROM sessions AS others WHERE others.uses <> '{}' AND others.uses @> ARRAY[sessions.id] AND others.folder_purged_at IS NULL`;
const isBatchRunning = sql<boolean>`(sessions.batch IS NOT NULL AND (
  EXISTS (SELECT FROM sessions AS others WHERE others.batch = sessions.batch AND others.ended_at IS NULL)
  OR EXISTS (SELECT FROM batch_rows WHERE batch_rows.batch = sessions.batch AND due_at IS NOT NULL)))`;
const usedBy = sql<readonly string[]>`ARRAY(SELECT others.id ${users} ORDER BY others.id LIMIT 20)`;

const isOf = (eb: Sessions, owner: DataOwner) =>
  'proposal' in owner ? eb('proposal', '=', owner.proposal) : eb('submitter', '=', owner.submitter);

export class PostgresSessionRetention implements SessionRetentionRecords {
  constructor(private readonly context: StoreContext) {}

  find(id: string): Promise<RetainedSession | undefined> {
    return reachingStore(async () => {
      const row = await this.rows().where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : retained(row);
    });
  }

  pin(id: string, { by, reason }: Pick<Pin, 'by' | 'reason'>): Promise<'pinned' | 'purged' | 'missing'> {
    return reachingStore(async () => {
      const { numUpdatedRows } = await this.context.db
        .updateTable('sessions')
        .set({ pinned_at: timeIn(this.context), pinned_by: by, pin_reason: reason })
        .where('id', '=', id)
        .where('purge_claimed_at', 'is', null)
        .where('folder_purged_at', 'is', null)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n) return 'pinned';
      return (await this.find(id)) === undefined ? 'missing' : 'purged';
    });
  }

  unpin(id: string): Promise<Pin | undefined> {
    return reachingStore(() =>
      this.context.db.transaction().execute(async (tx) => {
        const row = await tx.selectFrom('sessions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
        const pin = row === undefined ? undefined : pinOf(row);
        const none = { pinned_at: null, pinned_by: null, pin_reason: null };
        if (pin !== undefined) await tx.updateTable('sessions').set(none).where('id', '=', id).execute();
        return pin;
      }),
    );
  }

  ended(part: 'folder' | 'record', until: number, limit: number, cursor?: string): Promise<RetainedPage> {
    let query = this.rows()
      .where('ended_at', 'is not', null)
      .where('folder_purged_at', part === 'folder' ? 'is' : 'is not', null)
      .where('ended_at', '<=', new Date(until))
      .orderBy('ended_at')
      .orderBy('id')
      .limit(limit + 1);
    if (cursor !== undefined) {
      const [at, id] = readTimeCursor(cursor);
      query = query.where(sql<SqlBool>`(ended_at, id) > (${at}::timestamptz, ${id})`);
    }
    return this.page(query, limit, ({ session, endedAt = 0 }) =>
      timeCursor({ createdAt: new Date(endedAt).toISOString(), id: session.id }),
    );
  }

  async tellExpiry(id: string, until: number): Promise<void> {
    const now = timeIn(this.context);
    await reachingStore(() =>
      this.context.db.transaction().execute(async (tx) => {
        const row = await tx
          .updateTable('sessions')
          .set({ expiry_told_at: now })
          .where('id', '=', id)
          .where('ended_at', 'is not', null)
          .where('expiry_told_at', 'is', null)
          .where('purge_claimed_at', 'is', null)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return;
        const { title, proposal, beamline } = row;
        const batch = row.batch ?? undefined;
        const at = now.toISOString();
        const notice = { kind: 'session.files_expire', at, until: new Date(until).toISOString() } as const;
        const subject = { id: `${id}-expiry-${String(now.getTime())}`, subject: id };
        const queued = { ...subject, notice: { notice, title, proposal, beamline, batch } };
        await notify(tx, { session: id, proposal, batch }, [queued], now);
      }),
    );
  }

  ofOwner(owner: DataOwner, limit: number, cursor?: string): Promise<RetainedPage> {
    const query = this.rows()
      .where((eb) => isOf(eb, owner))
      .where('id', '>', cursor ?? '')
      .orderBy('id')
      .limit(limit + 1);
    return this.page(query, limit, ({ session }) => session.id);
  }

  begin(id: string, { rule, record }: Omit<BegunPurge, 'session'>, isOrdered: boolean): Promise<boolean> {
    const isFree = isOrdered
      ? sql<SqlBool>`NOT EXISTS (SELECT ${users} AND others.ended_at IS NULL)`
      : sql<SqlBool>`pinned_at IS NULL AND NOT ${isBatchRunning} AND NOT EXISTS (SELECT ${users})`;
    return reachingStore(() =>
      this.context.db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('sessions')
          .set({ purge_claimed_at: timeIn(this.context), purge_rule: rule, purges_record: record })
          .where('id', '=', id)
          .where('ended_at', 'is not', null)
          .where('purge_claimed_at', 'is', null)
          .where(isFree)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        await tx.deleteFrom('owed_files').where('session', '=', id).execute();
        if (isOrdered) await tx.deleteFrom('ended_sessions').where('session', '=', id).execute();
        return true;
      }),
    );
  }

  claimUnfinished(olderThanMs: number, limit: number): Promise<readonly BegunPurge[]> {
    return reachingStore(async () => {
      const rows = await this.context.db
        .updateTable('sessions')
        .set({ purge_claimed_at: timeIn(this.context) })
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('sessions')
            .select('id')
            .where('purge_claimed_at', '<=', timeIn(this.context, -olderThanMs))
            .limit(limit)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .execute();
      return rows.map(begun);
    });
  }

  async folderPurged(id: string, bytes: number): Promise<void> {
    await reachingStore(() =>
      this.context.db
        .updateTable('sessions')
        .set((eb) => ({
          folder_purged_at: eb.fn.coalesce('folder_purged_at', eb.val(timeIn(this.context))),
          purged_bytes: sql`coalesce(purged_bytes, 0) + ${bytes}`,
          purge_claimed_at: null,
        }))
        .where('id', '=', id)
        .where('purge_claimed_at', 'is not', null)
        .execute(),
    );
  }

  async remove(id: string): Promise<void> {
    await reachingStore(() =>
      this.context.db.transaction().execute(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('sessions')
          .where('id', '=', id)
          .where('purge_claimed_at', 'is not', null)
          .executeTakeFirstOrThrow();
        if (numDeletedRows === 0n) return;
        for (const table of ['model_works', 'model_requests'] as const)
          await tx.deleteFrom(table).where('session', '=', id).execute();
        await tx.deleteFrom('model_accounts').where('kind', '=', 'session').where('name', '=', id).execute();
        for (const table of ['notices', 'notice_queues'] as const)
          await tx.deleteFrom(table).where('subject', '=', id).execute();
        await tx
          .insertInto('deleted_sessions')
          .values({ id, deleted_at: timeIn(this.context) })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }),
    );
  }

  removeBatches(owner: DataOwner, dryRun: boolean): Promise<{ removed: number; running: readonly string[] }> {
    return reachingStore(async () => {
      const { db } = this.context;
      const isTheirs =
        'proposal' in owner
          ? sql<SqlBool>`proposal = ${owner.proposal}`
          : sql<SqlBool>`coalesce(batches.batch ->> 'owner', batches.batch ->> 'submitter') = ${owner.submitter}`;
      const isKept = sql<SqlBool>`(EXISTS (SELECT FROM batch_rows WHERE batch = batches.id AND due_at IS NOT NULL)
        OR EXISTS (SELECT FROM sessions WHERE batch = batches.id ${dryRun ? sql`AND ended_at IS NULL` : sql``}))`;
      const theirs = await db
        .selectFrom('batches')
        .select(['id', isKept.as('kept')])
        .where(isTheirs)
        .execute();
      const running = theirs.filter(({ kept }) => kept).map(({ id }) => id);
      const free = theirs.filter(({ kept }) => !kept).map(({ id }) => id);
      if (!dryRun && free.length > 0)
        await db
          .deleteFrom('batches')
          .where('id', 'in', free)
          .where(sql<SqlBool>`NOT ${isKept}`)
          .execute();
      return { removed: free.length, running };
    });
  }

  async removeStatistics(owner: DataOwner): Promise<void> {
    await reachingStore(() =>
      this.context.db
        .deleteFrom('ended_sessions')
        .where((eb) =>
          'proposal' in owner ? eb('proposal', '=', owner.proposal) : eb('submitter', '=', owner.submitter),
        )
        .where(sql<SqlBool>`NOT EXISTS (SELECT FROM sessions WHERE id = ended_sessions.session)`)
        .execute(),
    );
  }

  isRunning(owner: DataOwner): Promise<boolean> {
    return reachingStore(async () => {
      const row = await this.context.db
        .selectFrom('sessions')
        .select('id')
        .where((eb) => isOf(eb, owner))
        .where('ended_at', 'is', null)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    });
  }

  uploadsOf(owner: DataOwner): Promise<readonly Upload[]> {
    return reachingStore(async () => {
      const isTheirs =
        'proposal' in owner
          ? sql<SqlBool>`upload ->> 'proposal' = ${owner.proposal}`
          : sql<SqlBool>`upload ->> 'by' = ${owner.submitter}`;
      const rows = await this.context.db.selectFrom('uploads').select(['id', 'upload']).where(isTheirs).execute();
      return rows.flatMap(({ id, upload }) => (isUpload(id, upload) ? [upload] : []));
    });
  }

  async forgetUpload(id: string): Promise<void> {
    await reachingStore(() => this.context.db.deleteFrom('uploads').where('id', '=', id).execute());
  }

  wasRemoved(id: string): Promise<boolean> {
    return reachingStore(async () => {
      const row = await this.context.db
        .selectFrom('deleted_sessions')
        .select('id')
        .where('id', '=', id)
        .executeTakeFirst();
      return row !== undefined;
    });
  }

  private rows() {
    return this.context.db
      .selectFrom('sessions')
      .selectAll()
      .select([isBatchRunning.as('batch_running'), usedBy.as('used_by')]);
  }

  private page(
    query: ReturnType<PostgresSessionRetention['rows']>,
    limit: number,
    cursorOf: (last: RetainedSession) => string,
  ): Promise<RetainedPage> {
    return reachingStore(async () => {
      const found = (await query.execute()).map(retained);
      const sessions = found.slice(0, limit);
      const last = sessions.at(-1);
      return found.length > limit && last !== undefined ? { sessions, nextCursor: cursorOf(last) } : { sessions };
    });
  }
}
