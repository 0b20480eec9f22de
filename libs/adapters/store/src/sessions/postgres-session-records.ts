import type { CompiledQuery } from 'kysely';
import { withDefaults } from '@fleet/contracts/schema';
import {
  sessionSchema,
  type CycleRecord,
  type Session,
  type SessionEvent,
  type SessionHead,
} from '@fleet/contracts/sessions';
import { contentDigests } from '@fleet/files';
import type { GroupedCalls } from '@fleet/grouped-calls';
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
import { groupedCalls, prepared, reachingStore, timeIn, type StoreContext } from '../database';
import { endedRow } from '../statistics/ended-sessions';
import { isSubscribed, noticesOfMove, notifyOfMove } from '../webhooks/notices';
import type { MoveNotifier } from './move-notifier';
import { isPurged, purgeColumns } from './postgres-session-retention';
import { changed, owesFiles, type Moved, type Refusal, type SessionChange, type StoredSession } from './session-change';
import { columnsOf, headColumns, headOfRow, storedColumns, storedSession, type HeadRow } from './stored-session';
import { groupedMoves, rowVersion, writeMoves, type WrittenMove } from './written-moves';

type Outcome = { readonly head: SessionHead } | { readonly reason: Refusal };

/** A row as it was read, and its cycles if it was read just now. */
interface ReadSession extends StoredSession {
  readonly rowVersion: string;
  readonly isPurged: boolean;
  readonly cycles?: Session['cycles'];
}

type ReadRow = Parameters<typeof storedSession>[0] &
  Parameters<typeof isPurged>[0] & {
    readonly row_version: string;
    readonly cycles: readonly CycleRecord[] | null;
  };

/** Maximum sessions per read. */
const mostRead = 16;

/** The range makes the planner look each up by its key, as in `written-moves.ts`. */
const ofGiven = `FROM unnest($1::text[]) WITH ORDINALITY AS given (given_id, place) JOIN sessions ON id = given_id
  WHERE place BETWEEN 1 AND ${String(mostRead)}`;

/** One statement, so that the cycles belong to this version. */
const readSessions = prepared(
  'read_sessions',
  `SELECT ${[...storedColumns, ...purgeColumns].join(', ')}, ${rowVersion} AS row_version,
    (SELECT json_agg(record ORDER BY cycle) FROM cycles WHERE cycles.session = sessions.id) AS cycles ${ofGiven}`,
);
const readHeads = prepared('read_heads', `SELECT ${headColumns.join(', ')} ${ofGiven}`);

/** Reads rows by id, and groups concurrent reads. */
const groupedReads = <Row extends { readonly id: string }>(
  { db }: StoreContext,
  read: (ids: readonly string[]) => CompiledQuery,
): GroupedCalls<string, Row | undefined> =>
  groupedCalls(async (ids) => {
    const { rows } = await db.executeQuery<Row>(read(ids));
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => found.get(id));
  }, mostRead);

/** Number of cached rows, between their read and their move. */
const mostSeen = 500;

export class PostgresSessionRecords implements SessionRecords {
  private readonly reading: GroupedCalls<string, ReadRow | undefined>;
  private readonly readingHeads: GroupedCalls<string, HeadRow | undefined>;
  private readonly writing: GroupedCalls<WrittenMove, boolean>;
  /** The last read row of sessions that may move next. */
  private readonly seen = new Map<string, ReadSession>();

  constructor(
    private readonly context: StoreContext,
    private readonly notifier: MoveNotifier,
  ) {
    this.writing = groupedMoves(context.db);
    this.reading = groupedReads(context, readSessions);
    this.readingHeads = groupedReads(context, readHeads);
  }

  async create(made: NewSession, events: readonly SessionEvent[], dueInMs: number): Promise<'created' | 'exists'> {
    const outcome = await this.move(made.id, { kind: 'create', made, events, dueInMs });
    return 'head' in outcome ? 'created' : 'exists';
  }

  async load(id: string): Promise<Session | undefined> {
    const found = await this.read(id);
    if (found === undefined) return undefined;
    const { session, progress, cycles } = found;
    const waiting = waitingDecisionOf(session, progress.decision);
    // Fields that an older release did not write.
    return withDefaults(sessionSchema, { ...session, cycles, ...(waiting !== undefined && { waiting }) }) as Session;
  }

  async loadHead(id: string): Promise<SessionHead | undefined> {
    const row = await reachingStore(() => this.readingHeads.call(id));
    return row && headOfRow(row);
  }

  async advance({ sessionId, ...transition }: Transition): Promise<AdvanceResult> {
    const outcome = await this.move(sessionId, { kind: 'advance', ...transition });
    return 'head' in outcome
      ? { applied: true, ...outcome }
      : { applied: false, reason: among(outcome.reason, 'stale', 'missing', 'ended', 'advised') };
  }

  async requestCancel(id: string, event: SessionEvent): Promise<'cancelling' | 'ended' | 'missing'> {
    const outcome = await this.move(id, { kind: 'cancel', event });
    return 'head' in outcome ? 'cancelling' : among(outcome.reason, 'cancelling', 'ended', 'missing');
  }

  async advise({ sessionId, ...advising }: Advising): Promise<AdviseResult> {
    const outcome = await this.move(sessionId, { kind: 'advise', ...advising });
    return 'head' in outcome ? 'applied' : among(outcome.reason, 'stale', 'moved', 'idle', 'missing');
  }

  async prioritise({ sessionId, ...prioritising }: Prioritising): Promise<PrioritiseResult> {
    const outcome = await this.move(sessionId, { kind: 'reprioritize', ...prioritising });
    return 'head' in outcome
      ? { applied: true, ...outcome }
      : { applied: false, reason: among(outcome.reason, 'stale', 'missing', 'idle') };
  }

  async reopen({ sessionId, ...reopening }: Reopening): Promise<ReopenResult> {
    const outcome = await this.move(sessionId, { kind: 'reopen', ...reopening });
    return 'head' in outcome
      ? { applied: true, ...outcome }
      : { applied: false, reason: among(outcome.reason, 'stale', 'missing', 'not_ended', 'purged') };
  }

  /**
   * Changes a session in one transaction: its row, cycles, events, webhook notices and pending work. The change is
   * based on the row that was read last, and is written if that is still current; otherwise the row is read again.
   */
  private async move(id: string, change: SessionChange): Promise<Outcome> {
    let seen = this.seen.get(id);
    // The row for statistics derives from all cycles.
    const ends = 'to' in change && 'ended' in change.to;
    for (let isFresh = ends; ; isFresh = true) {
      if (isFresh) seen = await this.read(id);
      this.seen.delete(id);
      const isGone = change.kind === 'reopen' && seen?.isPurged === true;
      const moved = isGone ? 'purged' : changed(seen, change, isoTime(this.context.clock));
      if (typeof moved === 'string') {
        if (isFresh) return { reason: moved };
      } else if (await this.write(moved, change, seen)) {
        this.notifier.tell(id);
        return { head: headOf(moved.session) };
      }
    }
  }

  /** @returns false: the row has changed meanwhile */
  private write(moved: Moved, change: SessionChange, seen: ReadSession | undefined): Promise<boolean> {
    const { context } = this;
    const written = this.written(moved, change, seen);
    const notices = noticesOfMove(moved, timeIn(context));
    return reachingStore(async () => {
      const { queued, subjects } = notices;
      if (queued.length === 0 || !(await isSubscribed(context.db, subjects))) return this.writing.call(written);
      return context.db.transaction().execute(async (tx) => {
        const [isMade = false] = await writeMoves(tx, [written]);
        if (isMade) await notifyOfMove(tx, notices, timeIn(context));
        return isMade;
      });
    });
  }

  private written(moved: Moved, change: SessionChange, seen: ReadSession | undefined): WrittenMove {
    const { records, lastCycle, line, events, due, wakes, session } = moved;
    const now = this.context.clock.now();
    return {
      ...{ records, events, copiedCycles: session.request.forkedFrom?.afterCycle ?? 0 },
      ended: endedRow(moved, cyclesAfter(seen, moved)),
      row: { ...columnsOf(moved, seen), id: session.id, ...(change.kind === 'create' && madeColumns(change.made)) },
      ...(seen !== undefined && { seen: seen.rowVersion, was: seen.session.status }),
      ...(lastCycle !== undefined && { lastCycle }),
      ...(line !== undefined && { line }),
      ...(typeof due === 'number' && { dueAt: new Date(now + due) }),
      ...(wakes === true && { wakeAt: new Date(now) }),
      ...(owesFiles(change) && { filesAt: new Date(now) }),
    };
  }

  private async read(id: string): Promise<Required<ReadSession> | undefined> {
    const row = await reachingStore(() => this.reading.call(id));
    if (row === undefined) return undefined;
    const [oldest] = this.seen.keys();
    if (this.seen.size >= mostSeen && oldest !== undefined) this.seen.delete(oldest);
    const seen = { ...storedSession(row), rowVersion: row.row_version, isPurged: isPurged(row) };
    this.seen.set(id, seen);
    return { ...seen, cycles: row.cycles ?? [] };
  }
}

/** The records after a move. */
const cyclesAfter = (
  { cycles = [] }: Pick<ReadSession, 'cycles'> = {},
  { records, lastCycle = Infinity }: Moved,
): Session['cycles'] =>
  [
    ...cycles.filter(({ cycle }) => cycle <= lastCycle && records.every((record) => record.cycle !== cycle)),
    ...records,
  ].sort((one, other) => one.cycle - other.cycle);

const madeColumns = (made: NewSession): Pick<WrittenMove['row'], 'folder' | 'created_at' | 'content'> => {
  const digests = contentDigests(made);
  return {
    folder: made.folder,
    created_at: new Date(made.createdAt),
    content: digests === undefined ? [] : [digests.data, digests.everything],
  };
};

/** Narrows the refusal to the allowed ones. */
const among = <R extends Refusal>(reason: Refusal, ...allowed: readonly R[]): R => {
  const found = allowed.find((one) => one === reason);
  if (found === undefined) throw new TypeError(`a change was refused as ${reason}, which it cannot be`);
  return found;
};
