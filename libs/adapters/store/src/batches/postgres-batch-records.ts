import { sql } from 'kysely';
import type { Batch, BatchState, BatchStatus } from '@fleet/contracts/batches';
import type { Priority } from '@fleet/contracts/launches';
import { checkedBatchMs } from '@fleet/contracts/retention';
import { sessionOutcomes, sessionStatuses, type SessionOutcome, type SessionStatus } from '@fleet/contracts/sessions';
import {
  type AddedRows,
  type BatchesPage,
  type BatchRecords,
  type ClaimedRows,
  type NewRow,
  type RowResult,
  type StoredRow,
  timeCursor,
} from '@fleet/ports';
import { BatchChange } from './batch-change';
import { settleRows } from './settled-rows';
import { countsOf, priorityOf, statesOf, storedRow, type BatchColumns, type Counts } from './batch-views';
import { reachingStore, type StoreContext } from '../database';
import { readTimeCursor } from '../list-cursor';
import { noteBatchEnd } from '../webhooks/notices';

const nameOfRun = ({ row, run }: Pick<StoredRow, 'row' | 'run'>): string => `${String(row)} ${String(run)}`;

export class PostgresBatchRecords implements BatchRecords {
  constructor(private readonly context: StoreContext) {}

  create(batch: Batch): Promise<'created' | 'exists'> {
    return this.changing(batch.id, async (change, current) =>
      current === undefined && (await change.create(batch)) ? 'created' : 'exists',
    );
  }

  load(id: string): Promise<BatchState | undefined> {
    return reachingStore(async () => {
      const { db } = this.context;
      const current = await db.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirst();
      return current === undefined || this.isOver(current) ? undefined : (await statesOf(db, [current]))[0];
    });
  }

  list({ proposal }: { readonly proposal?: string }, limit: number, cursor?: string): Promise<BatchesPage> {
    return reachingStore(async () => {
      const { db } = this.context;
      let query = db
        .selectFrom('batches')
        .selectAll()
        .where('only_checked', '=', false)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1);
      if (proposal !== undefined) query = query.where('proposal', '=', proposal);
      if (cursor !== undefined) {
        const [at, id] = readTimeCursor(cursor);
        query = query.where(sql<boolean>`(created_at, id) < (${at}::timestamptz, ${id})`);
      }
      const found = await query.execute();
      const batches = await statesOf(db, found.slice(0, limit));
      const last = batches.at(-1);
      return found.length > limit && last !== undefined ? { batches, nextCursor: timeCursor(last.batch) } : { batches };
    });
  }

  addRows(id: string, rows: readonly NewRow[], maxRows: number): Promise<AddedRows | undefined> {
    return this.changing(id, async (change, current) => {
      if (current === undefined) return undefined;
      const known = await change.knownDigests(rows);
      const fresh = rows.filter(({ digest }) => {
        const isNew = !known.has(digest);
        known.add(digest);
        return isNew;
      });
      const added = fresh.slice(0, Math.max(0, maxRows - current.rows));
      await change.append(added, current.rows);
      const all = current.rows + added.length;
      await change.change({ rows: all });
      const left = fresh.length - added.length;
      return { added: added.length, known: rows.length - fresh.length, left, rows: all };
    });
  }

  complete(id: string): Promise<boolean> {
    return this.changing(id, async (change, current) => {
      if (current === undefined) return false;
      await change.change({ complete: true });
      await change.startTogether({ ...current, complete: true });
      await noteBatchEnd(change.tx, current);
      return true;
    });
  }

  rows(id: string, after: number, limit: number): Promise<readonly StoredRow[]> {
    return reachingStore(async () => {
      const found = await this.context.db
        .selectFrom('batch_rows')
        .selectAll()
        .where('batch', '=', id)
        .where('row', '>', after)
        .orderBy('row')
        .limit(limit)
        .execute();
      return found.map(storedRow);
    });
  }

  claim(limit: number, claimMs: number): Promise<ClaimedRows | undefined> {
    const { now } = this;
    return reachingStore(() =>
      this.context.db.transaction().execute(async (tx) => {
        const current = await tx
          .selectFrom('batches')
          .selectAll()
          .where('status', '!=', 'paused')
          .where((eb) => eb.or([eb('only_checked', '=', false), eb('changed_at', '>', this.ended)]))
          .where((eb) =>
            eb.exists(
              eb
                .selectFrom('batch_rows')
                .select('row')
                .whereRef('batch_rows.batch', '=', 'batches.id')
                .where('due_at', '<=', now),
            ),
          )
          .orderBy('turn')
          .orderBy('created_at')
          .limit(1)
          .forUpdate()
          .skipLocked()
          .executeTakeFirst();
        if (current === undefined) return undefined;
        const found = await tx
          .selectFrom('batch_rows')
          .selectAll()
          .where('batch', '=', current.id)
          .where('due_at', '<=', now)
          .orderBy('row')
          .limit(limit)
          .execute();
        const change = new BatchChange(tx, current.id, now);
        await change.setRows(
          { due_at: new Date(now.getTime() + claimMs) },
          found.map(({ row }) => row),
        );
        await tx
          .updateTable('batches')
          .set({ turn: sql`nextval('batch_turns')` })
          .where('id', '=', current.id)
          .execute();
        const { batch, status, starts } = current;
        const rows = found.map((one) => ({
          ...storedRow(one),
          ...(one.content !== null && { content: one.content }),
        }));
        return { batch, status, starts, ...priorityOf(current), rows };
      }),
    );
  }

  settle(id: string, results: readonly RowResult[]): Promise<number> {
    return this.changing(id, async (change, current) =>
      current === undefined ? 0 : settleRows(change, current, results),
    );
  }

  async finish(id: string, rows: readonly number[]): Promise<void> {
    await this.changing(id, (change) => change.setRows({ due_at: null }, rows));
  }

  async putOff(id: string, rows: readonly number[], inMs: number): Promise<void> {
    await this.changing(id, async (change) => {
      const due = (await change.rows(rows)).filter((one) => one.due_at !== null).map(({ row }) => row);
      await change.setRows({ due_at: new Date(change.now.getTime() + inMs) }, due);
    });
  }

  setStatus(id: string, status: BatchStatus): Promise<BatchStatus | 'missing'> {
    return this.changing(id, async (change, current) => {
      if (current === undefined) return 'missing';
      if (current.status === status || current.status === 'cancelled') return current.status;
      await change.change({ status });
      if (status === 'cancelled') await change.setRows({ due_at: change.now });
      return status;
    });
  }

  setPriority(id: string, priority: Priority): Promise<'set' | 'cancelled' | 'missing'> {
    return this.changing(id, async (change, current) => {
      if (current === undefined) return 'missing';
      if (current.status === 'cancelled') return 'cancelled';
      await change.set({ priority });
      return 'set';
    });
  }

  runAgain(id: string, runs: readonly Pick<StoredRow, 'row' | 'run'>[]): Promise<number> {
    return this.changing(id, async (change, current) => {
      if (current === undefined) return 0;
      const wanted = new Set(runs.map(nameOfRun));
      const found = await change.rows(runs.map(({ row }) => row));
      const again = found.filter(
        (one) => one.content !== null && one.state !== 'waiting' && wanted.has(nameOfRun(one)),
      );
      for (const { row, run } of again) {
        const restarted = { run: run + 1, state: 'waiting', outcome: '{}', session: null, due_at: change.now } as const;
        await change.setRows(restarted, [row]);
      }
      const sessions = again.flatMap(({ session }) => session ?? []);
      if (sessions.length > 0)
        await change.tx.updateTable('sessions').set({ superseded: true }).where('id', 'in', sessions).execute();
      if (again.length > 0) await change.change();
      return again.length;
    });
  }

  holdContent(digest: string, session: string, ms: number): Promise<boolean> {
    const { now } = this;
    const until = new Date(now.getTime() + ms);
    return reachingStore(async () => {
      const held = await this.context.db
        .insertInto('content_holds')
        .values({ digest, session, until })
        .onConflict((conflict) =>
          conflict
            .column('digest')
            .doUpdateSet({ session, until })
            .where((eb) => eb.or([eb('content_holds.until', '<=', now), eb('content_holds.session', '=', session)])),
        )
        .executeTakeFirstOrThrow();
      return held.numInsertedOrUpdatedRows === 1n;
    });
  }

  sessions(id: string): Promise<Counts<SessionStatus>> {
    return reachingStore(async () => {
      const { db } = this.context;
      const found = await db
        .selectFrom('sessions')
        .select('status as name')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('batch', '=', id)
        .where('superseded', '=', false)
        .groupBy('status')
        .execute();
      return countsOf(sessionStatuses, found);
    });
  }

  outcomes(id: string): Promise<Counts<SessionOutcome>> {
    return reachingStore(async () => {
      const { db } = this.context;
      const found = await db
        .selectFrom('sessions')
        .select('outcome as name')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('batch', '=', id)
        .where('superseded', '=', false)
        .groupBy('outcome')
        .execute();
      return countsOf(sessionOutcomes, found);
    });
  }

  private get now(): Date {
    return new Date(this.context.clock.now());
  }

  /** Batches in validation end when they have not changed since. */
  private get ended(): Date {
    return new Date(this.context.clock.now() - checkedBatchMs);
  }

  private isOver({ only_checked: onlyChecked, changed_at: changedAt }: BatchColumns): boolean {
    return onlyChecked && changedAt <= this.ended;
  }

  /** Changes a batch in one transaction. @param act called with the batch, if it exists */
  private changing<T>(
    id: string,
    act: (change: BatchChange, current: BatchColumns | undefined) => Promise<T>,
  ): Promise<T> {
    return reachingStore(() =>
      this.context.db.transaction().execute(async (tx) => {
        const change = new BatchChange(tx, id, this.now);
        const current = await tx.selectFrom('batches').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
        if (current === undefined || !this.isOver(current)) return act(change, current);
        await change.remove();
        return act(change, undefined);
      }),
    );
  }
}
