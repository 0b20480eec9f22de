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
  type RowResult,
  type StoredRow,
  timeCursor,
} from '@fleet/ports';
import { outcomeOf } from '@fleet/session-report';
import { copy, type MemoryState, type Stored } from './memory-state';

interface Row {
  stored: StoredRow;
  content?: string | undefined;
  /** When it is due, in milliseconds; absent: it is not. */
  dueAt?: number | undefined;
}

interface BatchEntry {
  readonly batch: Batch;
  status: BatchStatus;
  complete: boolean;
  starts: boolean;
  priority?: Priority;
  readonly rows: Row[];
  /** The time of its last turn. */
  turn: number;
  changedAt: number;
}

/** In-memory implementation for tests; passes the same contract as the database's. */
export class MemoryBatchRecords implements BatchRecords {
  private readonly batches = new Map<string, BatchEntry>();
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
    const entry = this.one(id);
    return Promise.resolve(entry === undefined ? undefined : stateOf(entry));
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
    const entry = this.one(id);
    if (entry === undefined) return Promise.resolve(undefined);
    const before = entry.rows.length;
    let known = 0;
    let left = 0;
    for (const row of rows) {
      if (entry.rows.some(({ stored }) => stored.digest === row.digest)) known += 1;
      else if (entry.rows.length >= maxRows) left += 1;
      else entry.rows.push(this.newRow(row, entry.rows.length + 1));
    }
    entry.changedAt = this.clock.now();
    return Promise.resolve({ added: entry.rows.length - before, known, left, rows: entry.rows.length });
  }

  complete(id: string): Promise<boolean> {
    const entry = this.one(id);
    if (entry === undefined) return Promise.resolve(false);
    entry.complete = true;
    entry.changedAt = this.clock.now();
    this.startTogether(entry);
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
    for (const entry of inTurn) {
      if (entry.status === 'paused') continue;
      const rows = entry.rows.filter(({ dueAt }) => dueAt !== undefined && dueAt <= now).slice(0, limit);
      if (rows.length === 0) continue;
      entry.turn = this.turns += 1;
      for (const row of rows) row.dueAt = now + claimMs;
      const claimed = rows.map(({ stored, content }) => copy({ ...stored, ...(content !== undefined && { content }) }));
      const { batch, status, starts } = entry;
      return Promise.resolve({ batch: copy(batch), status, starts, ...laterPriority(entry), rows: claimed });
    }
    return Promise.resolve(undefined);
  }

  settle(id: string, results: readonly RowResult[]): Promise<number> {
    const entry = this.one(id);
    const settled = entry === undefined ? [] : results.filter((result) => this.settleOne(entry, result));
    if (entry !== undefined) this.startTogether(entry);
    return Promise.resolve(settled.length);
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
    const entry = this.one(id);
    if (entry === undefined) return Promise.resolve('missing');
    if (entry.status === status || entry.status === 'cancelled') return Promise.resolve(entry.status);
    entry.status = status;
    entry.changedAt = this.clock.now();
    if (status === 'cancelled') this.dueAgain(entry);
    return Promise.resolve(status);
  }

  setPriority(id: string, priority: Priority): Promise<'set' | 'cancelled' | 'missing'> {
    const entry = this.one(id);
    if (entry === undefined) return Promise.resolve('missing');
    if (entry.status === 'cancelled') return Promise.resolve('cancelled');
    entry.priority = priority;
    return Promise.resolve('set');
  }

  runAgain(id: string, rows: readonly Pick<StoredRow, 'row' | 'run'>[]): Promise<number> {
    const entry = this.one(id);
    if (entry === undefined) return Promise.resolve(0);
    let again = 0;
    for (const { row, run } of rows) {
      const found = entry.rows[row - 1];
      if (found?.content === undefined || found.stored.run !== run || found.stored.state === 'waiting') continue;
      const { digest, line, session } = found.stored;
      if (session !== undefined) this.earlier.add(session);
      found.stored = { row, digest, line, run: run + 1, state: 'waiting' };
      found.dueAt = this.clock.now();
      again += 1;
    }
    if (again > 0) entry.changedAt = this.clock.now();
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

  private settleOne(entry: BatchEntry, { row, run, outcome }: RowResult): boolean {
    const found = entry.rows[row - 1];
    if (found?.stored.run !== run || !isOpen(found.stored.state, outcome.state)) return false;
    const { digest, line } = found.stored;
    found.stored = copy({ row, run, digest, line, ...outcome });
    entry.changedAt = this.clock.now();
    const cancelled = entry.status === 'cancelled';
    const more = outcome.state === 'accepted' ? cancelled : outcome.state === 'checked' && (entry.starts || cancelled);
    found.dueAt = more ? this.clock.now() : undefined;
    return true;
  }

  /** A dry run expires. */
  private one(id: string): BatchEntry | undefined {
    const entry = this.batches.get(id);
    const isOver = entry?.batch.start === 'never' && this.clock.now() - entry.changedAt >= checkedBatchMs;
    if (isOver) this.batches.delete(id);
    return isOver ? undefined : entry;
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

  private startTogether(entry: BatchEntry): void {
    const { batch, complete, starts } = entry;
    if (batch.start !== 'together' || !complete || starts) return;
    const { waiting, rejected } = stateOf(entry).states;
    if (waiting > 0 || rejected > 0) return;
    entry.starts = true;
    this.dueAgain(entry);
  }

  private dueAgain({ rows }: BatchEntry): void {
    for (const row of rows) row.dueAt = this.clock.now();
  }

  private rowsOf(id: string, rows: readonly number[]): readonly Row[] {
    const entry = this.one(id)?.rows ?? [];
    return rows.flatMap((row) => entry[row - 1] ?? []);
  }
}

const zeros = <Name extends string>(names: readonly Name[]): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;

const isOpen = (from: RowState, to: RowState): boolean =>
  from === 'waiting' || from === 'checked' || (from === 'cancelled' && to === 'accepted');

const laterPriority = ({ priority }: BatchEntry): Pick<BatchState, 'priority'> =>
  priority === undefined ? {} : { priority };

const stateOf = (entry: BatchEntry): BatchState => {
  const { batch, status, complete, rows, changedAt } = entry;
  const states = Object.fromEntries(rowStates.map((state) => [state, 0])) as Record<RowState, number>;
  for (const { stored } of rows) states[stored.state] += 1;
  return copy({ batch, status, complete, rows: rows.length, states, ...laterPriority(entry), changedAt });
};
