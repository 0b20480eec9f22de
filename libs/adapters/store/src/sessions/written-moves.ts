import type { Transaction } from 'kysely';
import type { GroupedCalls } from '@fleet/grouped-calls';
import { groupedCalls, prepared, type Database } from '../database';
import type { Tables } from '../tables';
import { columnsOfCycle, type CycleColumns } from '../statistics/cycle-columns';
import type { ChangedColumns } from './stored-session';
import type { SessionsTable } from './session-tables';
import type { Moved } from './session-change';

/**
 * Identifies the version of a row, as SQL: every change of a row changes its `xmin`. A promoted standby and a restored
 * server reuse transaction ids, so the server's start time is included.
 */
export const rowVersion = `sessions.xmin::text || ' ' || pg_postmaster_start_time()::text`;

/** Maximum moves per statement. */
const largest = 16;

/** A move to write. */
export interface WrittenMove extends Pick<Moved, 'records' | 'lastCycle' | 'line' | 'events'> {
  /** `rowVersion` of the row as it was read. Absent: the row does not exist yet. */
  readonly seen?: string;
  readonly was?: SessionsTable['status'];
  /** Number of first cycles copied from the session that it was forked from. */
  readonly copiedCycles: number;
  readonly row: ChangedColumns &
    Pick<SessionsTable, 'id'> &
    Partial<Pick<SessionsTable, 'content' | 'folder' | 'created_at'>>;
  /** Absent: pending work stays unchanged, or is removed if the session has ended. */
  readonly dueAt?: Date;
  /** Absent: no wake-up is pending. */
  readonly wakeAt?: Date;
  /** When its files became pending. Absent: they are not, or stay so. */
  readonly filesAt?: Date;
}

type Column = keyof WrittenMove['row'];

/** Sent as text within the JSON parameter: it may contain what a PostgreSQL text cannot (a lone surrogate, U+0000). */
const jsonColumns: ReadonlySet<Column> = new Set<Column>(['request', 'guidance', 'stop', 'progress']);
const valueOf = (column: Column): string =>
  jsonColumns.has(column) ? `(given.${column} #>> '{}')::json` : `given.${column}`;

/** Absent columns stay unchanged: an older release wrote no `progress` to derive them from. */
const optionalColumns: readonly Column[] = ['programs', 'experiment'];
const changedValueOf = (column: Column): string =>
  optionalColumns.includes(column) ? `coalesce(given.${column}, sessions.${column})` : valueOf(column);

const cycleColumns = [
  ...(['program', 'outcome', 'started_at', 'ended_at', 'analysed_at'] as const),
  ...(['core_seconds', 'gpu_seconds', 'r_free'] as const),
] satisfies readonly (keyof CycleColumns)[];

/**
 * Writes moves, each with its cycles, events and pending work, if the row is still the one that was read; returns the
 * indexes of the written ones. The range of the indexes makes the planner expect one row and find each session by its
 * key. Without it, a statement prepared on a small table would read the whole table at each move, until an ANALYZE.
 * @param columns that every move writes
 */
const statementFor = (columns: readonly Column[]): string => {
  const made: readonly Column[] = ['id', 'folder', 'created_at', 'content', ...columns];
  return `
WITH given AS (
  SELECT move.place, move.seen, move.was, move.line, move.events, move.records, move.last_cycle, move.wake_at, move.due_at, move.files_at, session.*
  FROM json_to_recordset($1) AS move (place integer, seen text, "row" json, was text, line text, events text, records json, last_cycle integer,
      wake_at timestamptz, due_at timestamptz, files_at timestamptz),
    json_populate_record(NULL::sessions, move."row") AS session
  WHERE move.place BETWEEN 0 AND ${String(largest - 1)}
), updated AS (
  UPDATE sessions SET ${columns.map((column) => `${column} = ${changedValueOf(column)}`).join(', ')}
  FROM given WHERE sessions.id = given.id AND ${rowVersion} = given.seen
  RETURNING given.place
), created AS (
  INSERT INTO sessions (${made.join(', ')}) SELECT ${made.map(valueOf).join(', ')} FROM given WHERE seen IS NULL
  ON CONFLICT (id) DO NOTHING RETURNING id
), written AS (
  SELECT * FROM given WHERE place IN (SELECT place FROM updated) OR (seen IS NULL AND id IN (SELECT id FROM created))
), kept AS (
  INSERT INTO owed (session, version, wake_at, due_at) SELECT id, version, wake_at, due_at FROM written WHERE due_at IS NOT NULL
  ON CONFLICT (session) DO UPDATE SET version = excluded.version, wake_at = excluded.wake_at, due_at = excluded.due_at
), settled AS (
  DELETE FROM owed USING written WHERE owed.session = written.id AND written.ended_at IS NOT NULL
), behind AS (
  INSERT INTO owed_files (session, due_at) SELECT id, files_at FROM written WHERE files_at IS NOT NULL
  ON CONFLICT (session) DO UPDATE SET transaction = excluded.transaction
), forgotten AS (
  DELETE FROM cycles USING written WHERE cycles.session = written.id AND cycles.cycle > written.last_cycle
), recorded AS (
  INSERT INTO cycles (session, cycle, record, ${cycleColumns.join(', ')})
  SELECT written.id, one.cycle, (one.record #>> '{}')::json, ${cycleColumns.map((column) => `one.${column}`).join(', ')}
  FROM written, json_populate_recordset(NULL::cycles, written.records) AS one
  ON CONFLICT (session, cycle) DO UPDATE SET ${['record', ...cycleColumns].map((column) => `${column} = excluded.${column}`).join(', ')}
), told AS (
  INSERT INTO moves (session, was, line, events, told) SELECT id, was, line, coalesce(events, '[]')::json, events IS NOT NULL
  FROM written WHERE line IS NOT NULL OR events IS NOT NULL
)
SELECT place FROM written`;
};

/** Columns of a row that a move changes. */
const changing = ({ id: _id, content: _content, folder: _folder, created_at: _at, ...row }: WrittenMove['row']) => [
  ...new Set([
    ...(Object.keys(row) as Column[]).filter((column) => !optionalColumns.includes(column)),
    ...optionalColumns,
  ]),
];

const loneSurrogates = /\p{Surrogate}/gu;

/** The parameter, with texts made well-formed, as on their way into a column. */
const parameter = (moves: readonly WrittenMove[]): string =>
  JSON.stringify(
    moves.map(({ seen, row, was, line, events, records, copiedCycles, lastCycle, wakeAt, dueAt, filesAt }, place) => ({
      ...{ place, seen, row, was, line, last_cycle: lastCycle, wake_at: wakeAt, due_at: dueAt, files_at: filesAt },
      ...(events.length > 0 && { events: JSON.stringify(events) }),
      ...(records.length > 0 && {
        records: records.map((record) => ({
          cycle: record.cycle,
          record: JSON.stringify(record),
          ...columnsOfCycle(record, record.cycle <= copiedCycles),
        })),
      }),
    })),
    (_, value: unknown) => (typeof value === 'string' ? value.replaceAll(loneSurrogates, '\uFFFD') : value),
  );

/** Writes the moves. Returns the written ones; the rows of the others have changed meanwhile, or exist already. */
export const writeMoves = async (
  db: Database | Transaction<Tables>,
  moves: readonly WrittenMove[],
): Promise<readonly boolean[]> => {
  const [first] = moves;
  if (first === undefined) return [];
  const write = prepared('write_moves', statementFor(changing(first.row)));
  const { rows } = await db.executeQuery<{ readonly place: number }>(write(parameter(moves)));
  const made = new Set(rows.map(({ place }) => place));
  return moves.map((_, place) => made.has(place));
};

/**
 * Writes concurrent moves in one transaction. The server rejects a group that creates one session twice: then each is
 * written alone.
 */
export const groupedMoves = (db: Database): GroupedCalls<WrittenMove, boolean> =>
  groupedCalls((moves) => writeMoves(db, moves), largest);
