import { sql, type Transaction } from 'kysely';
import {
  sessionSchema,
  withDefaults,
  type CycleRecord,
  type Session,
  type SessionEvent,
  type SessionHead,
} from '@fleet/contracts';
import { contentDigests, usedSessions } from '@fleet/files';
import {
  isoTime,
  type AdvanceResult,
  type AdviseResult,
  type Advising,
  type NewSession,
  type Prioritising,
  type PrioritiseResult,
  type Reopening,
  type ReopenResult,
  type SessionRecords,
  type Transition,
} from '@fleet/ports';
import { headOf, waitingDecisionOf } from '@fleet/session-report';
import { reachingStore, timeIn, type StoreContext } from '../database';
import { columnsOfCycle } from '../statistics/cycle-columns';
import { countEnded } from '../statistics/ended-sessions';
import { notifyOfMove } from '../webhooks/notices';
import type { MoveNews } from './move-news';
import { isPurged } from './postgres-session-retention';
import { changed, type Moved, type Refusal, type SessionChange } from './session-change';
import { columnsOf, headOfRow, storedSession } from './stored-session';
import type { Tables } from '../tables';

type Outcome = { readonly head: SessionHead } | { readonly because: Refusal };

const allCycles = sql<
  readonly CycleRecord[] | null
>`(SELECT json_agg(record ORDER BY cycle) FROM cycles WHERE cycles.session = sessions.id)`;

export class PostgresSessionRecords implements SessionRecords {
  constructor(
    private readonly context: StoreContext,
    private readonly news: MoveNews,
  ) {}

  async create(made: NewSession, events: readonly SessionEvent[], dueInMs: number): Promise<'created' | 'exists'> {
    const outcome = await this.move(made.id, { kind: 'create', made, events, dueInMs });
    return 'head' in outcome ? 'created' : 'exists';
  }

  load(id: string): Promise<Session | undefined> {
    return reachingStore(async () => {
      const { db } = this.context;
      // One statement, so that the cycles are those of this version.
      const found = await db
        .selectFrom('sessions')
        .selectAll()
        .select(allCycles.as('cycles'))
        .where('id', '=', id)
        .executeTakeFirst();
      if (found === undefined) return undefined;
      const { session, progress } = storedSession(found);
      const waiting = waitingDecisionOf(session, progress.decision);
      const whole = { ...session, cycles: found.cycles ?? [], ...(waiting !== undefined && { waiting }) };
      // Whatever an older release did not write yet.
      return withDefaults(sessionSchema, whole) as Session;
    });
  }

  loadHead(id: string): Promise<SessionHead | undefined> {
    return reachingStore(async () => {
      const row = await this.context.db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : headOfRow(row);
    });
  }

  async advance({ sessionId, ...transition }: Transition): Promise<AdvanceResult> {
    const outcome = await this.move(sessionId, { kind: 'advance', ...transition });
    return 'head' in outcome
      ? { applied: true, ...outcome }
      : { applied: false, because: among(outcome.because, 'stale', 'missing', 'ended', 'advised') };
  }

  async requestCancel(id: string, event: SessionEvent): Promise<'cancelling' | 'ended' | 'missing'> {
    const outcome = await this.move(id, { kind: 'cancel', event });
    return 'head' in outcome ? 'cancelling' : among(outcome.because, 'cancelling', 'ended', 'missing');
  }

  async advise({ sessionId, ...advising }: Advising): Promise<AdviseResult> {
    const outcome = await this.move(sessionId, { kind: 'advise', ...advising });
    return 'head' in outcome ? 'applied' : among(outcome.because, 'stale', 'moved', 'idle', 'missing');
  }

  async prioritise({ sessionId, ...prioritising }: Prioritising): Promise<PrioritiseResult> {
    const outcome = await this.move(sessionId, { kind: 'reprioritize', ...prioritising });
    return 'head' in outcome
      ? { applied: true, ...outcome }
      : { applied: false, because: among(outcome.because, 'stale', 'missing', 'idle') };
  }

  async reopen({ sessionId, ...reopening }: Reopening): Promise<ReopenResult> {
    const outcome = await this.move(sessionId, { kind: 'reopen', ...reopening });
    return 'head' in outcome
      ? { applied: true, ...outcome }
      : { applied: false, because: among(outcome.because, 'stale', 'missing', 'not_ended', 'purged') };
  }

  /** Every change of a session, in one transaction: its row, its cycles, its events, its notices for webhooks, and what is owed to it. */
  private async move(id: string, change: SessionChange): Promise<Outcome> {
    const outcome = await reachingStore(() =>
      this.context.db.transaction().execute(async (tx): Promise<Outcome> => {
        const row = await tx.selectFrom('sessions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
        if (row !== undefined && change.kind === 'reopen' && isPurged(row)) return { because: 'purged' };
        const before = row === undefined ? undefined : storedSession(row);
        const moved = changed(before, change, isoTime(this.context.clock));
        if (typeof moved === 'string') return { because: moved };
        if (!(await this.write(tx, change, moved))) return { because: 'exists' };
        await this.follow(tx, id, moved, before?.session);
        return { head: headOf(moved.session) };
      }),
    );
    if ('head' in outcome) this.news.tell(id);
    return outcome;
  }

  /** The row. @returns false: somebody else has taken the id in this moment */
  private async write(tx: Transaction<Tables>, change: SessionChange, moved: Moved): Promise<boolean> {
    if (change.kind === 'create') return this.insert(tx, change.made, moved);
    await this.update(tx, moved, change.kind === 'reopen');
    return true;
  }

  private async insert(tx: Transaction<Tables>, made: NewSession, moved: Moved): Promise<boolean> {
    const digests = contentDigests(made);
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('sessions')
      .values({
        ...columnsOf(moved),
        ...this.owedColumns(moved),
        id: made.id,
        folder: made.folder,
        uses: usedSessions(made),
        created_at: new Date(made.createdAt),
        content: digests === undefined ? [] : [digests.data, digests.everything],
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** @param isAnew its files may be others */
  private async update(tx: Transaction<Tables>, moved: Moved, isAnew: boolean): Promise<void> {
    await tx
      .updateTable('sessions')
      .set({
        ...columnsOf(moved),
        ...this.owedColumns(moved),
        ...(isAnew && { uses: usedSessions(moved.session), expiry_told_at: null }),
      })
      .where('id', '=', moved.session.id)
      .execute();
  }

  private owedColumns({ due, wakes }: Moved): { readonly wake_at?: Date | null; readonly due_at?: Date | null } {
    const now = this.context.clock.now();
    return {
      ...(wakes !== undefined && { wake_at: wakes ? new Date(now) : null }),
      ...(due !== undefined && { due_at: due === 'never' ? null : new Date(now + due) }),
    };
  }

  /** What goes with the row: its cycles, its line of the statistics, the move and its notices. */
  private async follow(
    tx: Transaction<Tables>,
    id: string,
    moved: Moved,
    before: Pick<Session, 'status' | 'stop'> | undefined,
  ): Promise<void> {
    await this.writeCycles(tx, moved);
    if (moved.session.stop !== undefined || before?.stop !== undefined) await countEnded(tx, moved);
    const { line, events } = moved;
    if (line !== undefined || events.length > 0)
      await tx
        .insertInto('moves')
        .values({
          session: id,
          was: before?.status ?? null,
          line: line ?? null,
          events: JSON.stringify(events),
          told: events.length > 0,
        })
        .execute();
    await notifyOfMove(tx, moved, timeIn(this.context));
  }

  private async writeCycles(
    tx: Transaction<Tables>,
    { session: { id, request }, records, lastCycle }: Moved,
  ): Promise<void> {
    if (lastCycle !== undefined)
      await tx.deleteFrom('cycles').where('session', '=', id).where('cycle', '>', lastCycle).execute();
    if (records.length === 0) return;
    await tx
      .insertInto('cycles')
      .values(
        records.map((record) => ({
          session: id,
          cycle: record.cycle,
          record: JSON.stringify(record),
          ...columnsOfCycle(record, record.cycle <= (request.forkedFrom?.afterCycle ?? 0)),
        })),
      )
      .onConflict((conflict) => conflict.columns(['session', 'cycle']).doUpdateSet(replacedCycle))
      .execute();
  }
}

/** A cycle is written whole. */
const replacedCycle = {
  record: sql<string>`excluded.record`,
  program: sql<string | null>`excluded.program`,
  outcome: sql<'success' | 'failed' | null>`excluded.outcome`,
  started_at: sql<Date | null>`excluded.started_at`,
  ended_at: sql<Date | null>`excluded.ended_at`,
  analysed_at: sql<Date | null>`excluded.analysed_at`,
  core_seconds: sql<number | null>`excluded.core_seconds`,
  gpu_seconds: sql<number | null>`excluded.gpu_seconds`,
  r_free: sql<number | null>`excluded.r_free`,
};

/** The refusal, which can only be one of these. */
const among = <R extends Refusal>(because: Refusal, ...allowed: readonly R[]): R => {
  const found = allowed.find((one) => one === because);
  if (found === undefined) throw new TypeError(`a change was refused as ${because}, which it cannot be`);
  return found;
};
