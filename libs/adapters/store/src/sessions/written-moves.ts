import type { Insertable, Transaction } from 'kysely';
import type { GroupedCalls } from '@fleet/grouped-calls';
import { groupedCalls, prepared, type Database } from '../database';
import type { Tables } from '../tables';
import { columnsOfCycle, type CycleColumns } from '../statistics/cycle-columns';
import type { StatisticsTables } from '../statistics/statistics-tables';
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
  /** Its row for statistics. Undefined: the session runs; the row of a reopened one is removed. */
  readonly ended: EndedRow | undefined;
}

type EndedRow = Insertable<StatisticsTables['ended_sessions']>;

type Column = keyof WrittenMove['row'];

/** Sent as text within the JSON parameter: it may contain what a PostgreSQL text cannot (a lone surrogate, U+0000). */
const jsonColumns: ReadonlySet<Column> = new Set<Column>(['request', 'guidance', 'stop', 'progress']);
const valueOf = (column: Column): string =>
  jsonColumns.has(column) ? `(given.${column} #>> '{}')::json` : `given.${column}`;

/** For columns that are absent with an unchanged request. */
const ofRequest = (column: Column): string =>
  `CASE WHEN given.request IS NULL THEN sessions.${column} ELSE ${valueOf(column)} END`;
/** For columns that are absent if unchanged. */
const ifGiven = (column: Column): string => `coalesce(${valueOf(column)}, sessions.${column})`;

/** The values of an update. An older release wrote no `progress` to derive `programs` and `experiment` from. */
const changedValues: Readonly<Record<keyof ChangedColumns, (column: Column) => string>> = {
  ...{ version: valueOf, wake_ups: valueOf, status: valueOf, stage: valueOf, cycle: valueOf, attempt: valueOf },
  ...{ outcome: valueOf, updated_at: valueOf, ended_at: valueOf, stop: valueOf, progress: valueOf },
  ...{ expiry_told_at: valueOf, ligands: valueOf, space_group: valueOf, resolution: valueOf, failure: valueOf },
  ...{ r_free: valueOf, map_cc: valueOf, guidance: ifGiven, programs: ifGiven, experiment: ifGiven },
  ...{ title: ofRequest, proposal: ofRequest, beamline: ofRequest, submitter: ofRequest, batch: ofRequest },
  ...{ request: ofRequest, uses: ofRequest, sample: ofRequest, reduced_cell: ofRequest, searched: ofRequest },
};
const changedColumns = Object.keys(changedValues) as readonly (keyof ChangedColumns)[];
const madeColumns: readonly Column[] = ['id', 'folder', 'created_at', 'content', ...changedColumns];

const cycleColumns = [
  ...(['program', 'outcome', 'started_at', 'ended_at', 'analysed_at'] as const),
  ...(['core_seconds', 'gpu_seconds', 'r_free'] as const),
] satisfies readonly (keyof CycleColumns)[];

const endedColumns = [
  ...(['session', 'created_at', 'proposal', 'beamline', 'submitter', 'outcome', 'resolution', 'path'] as const),
  ...(['to_first_r_free', 'to_end', 'core_seconds', 'gpu_seconds'] as const),
] satisfies readonly (keyof EndedRow)[];

const excluded = (columns: readonly string[]): string =>
  columns.map((column) => `${column} = excluded.${column}`).join(', ');

/**
 * Writes moves, each with its cycles, events and pending work, if the row is still the one that was read; returns the
 * indexes of the written ones. The range of the indexes makes the planner expect one row and find each session by its
 * key. Without it, a statement prepared on a small table would read the whole table at each move, until an ANALYZE.
 */
const write = prepared(
  'write_moves',
  `
WITH given AS (
  SELECT move.place, move.seen, move.was, move.line, move.events, move.records, move.last_cycle, move.wake_at, move.due_at, move.files_at, move.ended, session.*
  FROM json_to_recordset($1) AS move (place integer, seen text, "row" json, was text, line text, events text, records json, last_cycle integer,
      wake_at timestamptz, due_at timestamptz, files_at timestamptz, ended json),
    json_populate_record(NULL::sessions, move."row") AS session
  WHERE move.place BETWEEN 0 AND ${String(largest - 1)}
), updated AS (
  UPDATE sessions SET ${changedColumns.map((column) => `${column} = ${changedValues[column](column)}`).join(', ')}
  FROM given WHERE sessions.id = given.id AND ${rowVersion} = given.seen
  RETURNING given.place
), created AS (
  INSERT INTO sessions (${madeColumns.join(', ')}) SELECT ${madeColumns.map(valueOf).join(', ')} FROM given WHERE seen IS NULL
  ON CONFLICT (id) DO NOTHING RETURNING id
), written AS (
  SELECT * FROM given WHERE place IN (SELECT place FROM updated) OR (seen IS NULL AND id IN (SELECT id FROM created))
), kept AS (
  INSERT INTO owed (session, version, wake_at, due_at) SELECT id, version, wake_at, due_at FROM written WHERE due_at IS NOT NULL
  ON CONFLICT (session) DO UPDATE SET ${excluded(['version', 'wake_at', 'due_at'])}
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
  ON CONFLICT (session, cycle) DO UPDATE SET ${excluded(['record', ...cycleColumns])}
), counted AS (
  INSERT INTO ended_sessions (${endedColumns.join(', ')})
  SELECT ${endedColumns.map((column) => `one.${column}`).join(', ')} FROM written, json_populate_record(NULL::ended_sessions, written.ended) AS one
  WHERE written.ended IS NOT NULL
  ON CONFLICT (session) DO UPDATE SET ${excluded(endedColumns)}
), resumed AS (
  DELETE FROM ended_sessions USING written
  WHERE ended_sessions.session = written.id AND written.ended IS NULL AND written.was NOT IN ('running', 'cancelling')
), told AS (
  INSERT INTO moves (session, was, line, events, told) SELECT id, was, line, coalesce(events, '[]')::json, events IS NOT NULL
  FROM written WHERE line IS NOT NULL OR events IS NOT NULL
)
SELECT place FROM written`,
);

/** Lone surrogates of JSON, which no PostgreSQL text can contain. `JSON.stringify` escapes them, and them only. */
const loneSurrogates = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g;

/** The parameter, with texts made well-formed, as on their way into a column. */
const parameter = (moves: readonly WrittenMove[]): string =>
  JSON.stringify(
    moves.map(({ seen, row, was, line, events, records, copiedCycles, lastCycle, ended, ...at }, place) => ({
      ...{ place, seen, row, was, line, last_cycle: lastCycle, ended },
      ...{ wake_at: at.wakeAt, due_at: at.dueAt, files_at: at.filesAt },
      ...(events.length > 0 && { events: JSON.stringify(events) }),
      ...(records.length > 0 && {
        records: records.map((record) => ({
          cycle: record.cycle,
          record: JSON.stringify(record),
          ...columnsOfCycle(record, record.cycle <= copiedCycles),
        })),
      }),
    })),
  ).replaceAll(loneSurrogates, '$1\uFFFD');

/** Writes the moves. Returns the written ones; the rows of the others have changed meanwhile, or exist already. */
export const writeMoves = async (
  db: Database | Transaction<Tables>,
  moves: readonly WrittenMove[],
): Promise<readonly boolean[]> => {
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
