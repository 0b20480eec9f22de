import { rowStates, type Batch, type BatchState, type BatchStatus, type RowState } from '@fleet/contracts/batches';
import type { Priority } from '@fleet/contracts/launches';
import { checkedBatchMs } from '@fleet/contracts/retention';
import { sessionOutcomes, sessionStatuses, type SessionOutcome, type SessionStatus } from '@fleet/contracts/sessions';
import {
  type AddedRows,
  type BatchesPage,
  type BatchRecords,
  type ClaimedRows,
  type Clock,
  type NewRow,
  type RowOutcome,
  type StoredRow,
  timeCursor,
} from '@fleet/ports';
import { outcomeOf } from '@fleet/session-report';
import { copy, type MemoryState, type Stored } from './memory-state';

interface Row {
  stored: StoredRow;
  content?: string | undefined;
  /** When it is to be looked at, in milliseconds; absent: not at all. */
  dueAt?: number | undefined;
}

interface Kept {
  readonly batch: Batch;
  status: BatchStatus;
  complete: boolean;
  starts: boolean;
  priority?: Priority;
  readonly rows: Row[];
  /** When it had its last turn. */
  turn: number;
  changedAt: number;
}

/** The twin of `RedisBatchRecords`. */
export class MemoryBatchRecords implements BatchRecords {
  private readonly batches = new Map<string, Kept>();
  /** Sessions of rows that were run again. */
  private readonly earlier = new Set<string>();
  private readonly held = new Map<string, { readonly session: string; readonly until: number }>();
  private turns = 0;

  constructor(
    private readonly state: MemoryState,
    private readonly clock: Clock,
  ) {}

  create(batch: Batch): Promise<'created' | 'exists'> {
    if (this.one(batch.id) !== undefined) return Promise.resolve('exists');
    const starts = batch.start === 'each';
    const nothing = { complete: false, rows: [], turn: 0, changedAt: this.clock.now() };
    this.batches.set(batch.id, { batch: copy(batch), status: 'open', starts, ...nothing });
    return Promise.resolve('created');
  }

  load(id: string): Promise<BatchState | undefined> {
    const kept = this.one(id);
    return Promise.resolve(kept === undefined ? undefined : stateOf(kept));
  }

  list({ proposal }: { readonly proposal?: string }, limit: number, cursor?: string): Promise<BatchesPage> {
    const found = [...this.batches.values()]
      .filter(({ batch }) => batch.start !== 'never')
      .filter(({ batch }) => proposal === undefined || batch.proposal === proposal)
      .filter(({ batch }) => cursor === undefined || timeCursor(batch) < cursor)
      .sort((one, other) => (timeCursor(one.batch) < timeCursor(other.batch) ? 1 : -1));
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const batches = shown.map(stateOf);
    return Promise.resolve(
      found.length > limit && last !== undefined ? { batches, nextCursor: timeCursor(last.batch) } : { batches },
    );
  }

  addRows(id: string, rows: readonly NewRow[], maxRows: number): Promise<AddedRows | undefined> {
    const kept = this.one(id);
    if (kept === undefined) return Promise.resolve(undefined);
    const before = kept.rows.length;
    let known = 0;
    let left = 0;
    for (const row of rows) {
      if (kept.rows.some(({ stored }) => stored.digest === row.digest)) known += 1;
      else if (kept.rows.length >= maxRows) left += 1;
      else kept.rows.push(this.newRow(row, kept.rows.length + 1));
    }
    kept.changedAt = this.clock.now();
    return Promise.resolve({ added: kept.rows.length - before, known, left, rows: kept.rows.length });
  }

  complete(id: string): Promise<boolean> {
    const kept = this.one(id);
    if (kept === undefined) return Promise.resolve(false);
    kept.complete = true;
    kept.changedAt = this.clock.now();
    this.startTogether(kept);
    return Promise.resolve(true);
  }

  rows(id: string, after: number, limit: number): Promise<readonly StoredRow[]> {
    const rows = this.one(id)?.rows.slice(after, after + limit) ?? [];
    return Promise.resolve(rows.map(({ stored }) => copy(stored)));
  }

  claim(limit: number, claimMs: number): Promise<ClaimedRows | undefined> {
    const now = this.clock.now();
    const inTurn = [...this.batches.keys()]
      .flatMap((id) => this.one(id) ?? [])
      .sort((one, other) => one.turn - other.turn);
    for (const kept of inTurn) {
      if (kept.status === 'paused') continue;
      const rows = kept.rows.filter(({ dueAt }) => dueAt !== undefined && dueAt <= now).slice(0, limit);
      if (rows.length === 0) continue;
      kept.turn = this.turns += 1;
      for (const row of rows) row.dueAt = now + claimMs;
      const claimed = rows.map(({ stored, content }) => copy({ ...stored, ...(content !== undefined && { content }) }));
      const { batch, status, starts } = kept;
      return Promise.resolve({ batch: copy(batch), status, starts, ...laterPriority(kept), rows: claimed });
    }
    return Promise.resolve(undefined);
  }

  settle(id: string, { row, run }: Pick<StoredRow, 'row' | 'run'>, outcome: RowOutcome): Promise<boolean> {
    const kept = this.one(id);
    const found = kept?.rows[row - 1];
    if (kept === undefined || found?.stored.run !== run || !isOpen(found.stored.state, outcome.state))
      return Promise.resolve(false);
    const { digest, line } = found.stored;
    found.stored = copy({ row, run, digest, line, ...outcome });
    kept.changedAt = this.clock.now();
    const cancelled = kept.status === 'cancelled';
    const more = outcome.state === 'accepted' ? cancelled : outcome.state === 'checked' && (kept.starts || cancelled);
    found.dueAt = more ? this.clock.now() : undefined;
    this.startTogether(kept);
    return Promise.resolve(true);
  }

  finish(id: string, rows: readonly number[]): Promise<void> {
    for (const row of this.rowsOf(id, rows)) row.dueAt = undefined;
    return Promise.resolve();
  }

  putOff(id: string, rows: readonly number[], inMs: number): Promise<void> {
    for (const row of this.rowsOf(id, rows)) if (row.dueAt !== undefined) row.dueAt = this.clock.now() + inMs;
    return Promise.resolve();
  }

  setStatus(id: string, status: BatchStatus): Promise<BatchStatus | 'missing'> {
    const kept = this.one(id);
    if (kept === undefined) return Promise.resolve('missing');
    if (kept.status === status || kept.status === 'cancelled') return Promise.resolve(kept.status);
    kept.status = status;
    kept.changedAt = this.clock.now();
    if (status === 'cancelled') this.dueAgain(kept);
    return Promise.resolve(status);
  }

  setPriority(id: string, priority: Priority): Promise<'set' | 'cancelled' | 'missing'> {
    const kept = this.one(id);
    if (kept === undefined) return Promise.resolve('missing');
    if (kept.status === 'cancelled') return Promise.resolve('cancelled');
    kept.priority = priority;
    return Promise.resolve('set');
  }

  runAgain(id: string, rows: readonly Pick<StoredRow, 'row' | 'run'>[]): Promise<number> {
    const kept = this.one(id);
    if (kept === undefined) return Promise.resolve(0);
    let again = 0;
    for (const { row, run } of rows) {
      const found = kept.rows[row - 1];
      if (found?.content === undefined || found.stored.run !== run || found.stored.state === 'waiting') continue;
      const { digest, line, session } = found.stored;
      if (session !== undefined) this.earlier.add(session);
      found.stored = { row, digest, line, run: run + 1, state: 'waiting' };
      found.dueAt = this.clock.now();
      again += 1;
    }
    if (again > 0) kept.changedAt = this.clock.now();
    return Promise.resolve(again);
  }

  holdContent(digest: string, session: string, ms: number): Promise<boolean> {
    const now = this.clock.now();
    const holder = this.held.get(digest);
    if (holder !== undefined && holder.until > now && holder.session !== session) return Promise.resolve(false);
    this.held.set(digest, { session, until: now + ms });
    return Promise.resolve(true);
  }

  sessions(id: string): Promise<Readonly<Record<SessionStatus, number>>> {
    const counts = zeros(sessionStatuses);
    for (const { session } of this.those(id)) counts[session.status] += 1;
    return Promise.resolve(counts);
  }

  outcomes(id: string): Promise<Readonly<Record<SessionOutcome, number>>> {
    const counts = zeros(sessionOutcomes);
    for (const { session, progress } of this.those(id)) {
      const outcome = outcomeOf({ ...session, ...(progress.fit !== undefined && { fit: progress.fit }) });
      if (outcome !== undefined) counts[outcome] += 1;
    }
    return Promise.resolve(counts);
  }

  /** One that only checks ends by itself. */
  private one(id: string): Kept | undefined {
    const kept = this.batches.get(id);
    const isOver = kept?.batch.start === 'never' && this.clock.now() - kept.changedAt >= checkedBatchMs;
    if (isOver) this.batches.delete(id);
    return isOver ? undefined : kept;
  }

  /** Sessions of the last runs of its rows. */
  private those(id: string): readonly Stored[] {
    const all = [...this.state.sessions.values()];
    return all.filter(({ session }) => session.request.batch === id && !this.earlier.has(session.id));
  }

  private newRow({ digest, line, content }: NewRow, row: number): Row {
    const made = { row, digest, line, run: 0 };
    if ('problem' in content) return { stored: copy({ ...made, state: 'rejected', problems: [content.problem] }) };
    return { stored: { ...made, state: 'waiting' }, content: content.row, dueAt: this.clock.now() };
  }

  private startTogether(kept: Kept): void {
    const { batch, complete, starts } = kept;
    if (batch.start !== 'together' || !complete || starts) return;
    const { waiting, rejected } = stateOf(kept).states;
    if (waiting > 0 || rejected > 0) return;
    kept.starts = true;
    this.dueAgain(kept);
  }

  private dueAgain({ rows }: Kept): void {
    for (const row of rows) row.dueAt = this.clock.now();
  }

  private rowsOf(id: string, rows: readonly number[]): readonly Row[] {
    const kept = this.one(id)?.rows ?? [];
    return rows.flatMap((row) => kept[row - 1] ?? []);
  }
}

const zeros = <Name extends string>(names: readonly Name[]): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;

const isOpen = (from: RowState, to: RowState): boolean =>
  from === 'waiting' || from === 'checked' || (from === 'cancelled' && to === 'accepted');

const laterPriority = ({ priority }: Kept): Pick<BatchState, 'priority'> =>
  priority === undefined ? {} : { priority };

const stateOf = (kept: Kept): BatchState => {
  const { batch, status, complete, rows, changedAt } = kept;
  const states = Object.fromEntries(rowStates.map((state) => [state, 0])) as Record<RowState, number>;
  for (const { stored } of rows) states[stored.state] += 1;
  return copy({ batch, status, complete, rows: rows.length, states, ...laterPriority(kept), changedAt });
};
