import type { Batch, BatchState, BatchStatus, EarlierSession, FirstStep, RowState } from '@fleet/contracts/batches';
import type { Priority } from '@fleet/contracts/launches';
import type { ApiProblem, FileUse, SessionOutcome, SessionStatus } from '@fleet/contracts/sessions';

export const BATCH_RECORDS = Symbol('BatchRecords');

/** A row as it arrives. */
export interface NewRow {
  /** Digest of its content: a batch stores rows with the same digest once. */
  readonly digest: string;
  readonly line: number;
  /** Its content as JSON; for an unreadable row, the problem. */
  readonly content: { readonly row: string } | { readonly problem: ApiProblem };
}

/** The outcome of a row. */
export interface RowOutcome {
  readonly state: RowState;
  readonly session?: string;
  /** An earlier session with the same data in the same proposal. */
  readonly earlier?: EarlierSession;
  readonly problems?: readonly ApiProblem[];
  /** Files that its session does not use. */
  readonly unused?: readonly FileUse[];
  /** For a row that is only checked. */
  readonly first?: FirstStep;
}

/** A row as it is stored. */
export interface StoredRow extends RowOutcome {
  /** 1-based, in the order of arrival. */
  readonly row: number;
  readonly digest: string;
  readonly line: number;
  readonly run: number;
}

/** The outcome of a row in one run. */
export interface RowResult extends Pick<StoredRow, 'row' | 'run'> {
  readonly outcome: RowOutcome;
}

/** Rows of a batch to be processed now. */
export interface ClaimedRows {
  readonly batch: Batch;
  readonly status: BatchStatus;
  /** False: rows are checked but not started. */
  readonly starts: boolean;
  /** As `BatchState.priority`. */
  readonly priority?: Priority;
  readonly rows: readonly (StoredRow & {
    /** As `NewRow.content.row`; absent for an unreadable row. */
    readonly content?: string;
  })[];
}

export interface AddedRows {
  readonly added: number;
  readonly known: number;
  /** Rows beyond the maximum of a batch. */
  readonly left: number;
  readonly rows: number;
}

export interface BatchesPage {
  readonly batches: readonly BatchState[];
  readonly nextCursor?: string;
}

/**
 * The batch records. The work of a batch is stored with it: its due rows. A worker claims rows for a time. After an expired claim the rows
 * are due again, so a crash loses no work, and a slow worker repeats only idempotent work. Each method is atomic, and may throw a transient
 * `Fault` when the store cannot be reached. Every implementation passes
 * `batchRecordsContract` in libs/testing.
 */
export interface BatchRecords {
  /** `exists` when the id is taken: nothing changes. */
  create(batch: Batch): Promise<'created' | 'exists'>;
  load(id: string): Promise<BatchState | undefined>;
  /** Newest first; without check-only batches, which expire (`checkedBatchMs`). */
  list(filter: { readonly proposal?: string }, limit: number, cursor?: string): Promise<BatchesPage>;
  /** Adds rows with new digests, in their order, up to the maximum. Undefined: the batch does not exist. */
  addRows(id: string, rows: readonly NewRow[], maxRows: number): Promise<AddedRows | undefined>;
  /** Marks the batch as complete: no more rows follow, and a batch whose rows start together may start. */
  complete(id: string): Promise<boolean>;
  /** Rows after this one, in their order. */
  rows(id: string, after: number, limit: number): Promise<readonly StoredRow[]>;
  /** Claims due rows of one batch; several batches take turns. */
  claim(limit: number, claimMs: number): Promise<ClaimedRows | undefined>;
  /**
   * Stores the outcomes of these rows, each listed once; returns how many. The others were run again meanwhile, or already have their session:
   * they do not change.
   */
  settle(id: string, results: readonly RowResult[]): Promise<number>;
  /** Marks these rows as done. */
  finish(id: string, rows: readonly number[]): Promise<void>;
  /** Makes these rows due again after this time. */
  putOff(id: string, rows: readonly number[], inMs: number): Promise<void>;
  /**
   * Changes the status. A paused batch has no due rows. After a cancellation every row is due once more, to be cancelled; the cancellation is
   * final.
   */
  setStatus(id: string, status: BatchStatus): Promise<BatchStatus | 'missing'>;
  /** Sets the priority of rows that are claimed from now on. A cancelled batch starts none and keeps its priority. */
  setPriority(id: string, priority: Priority): Promise<'set' | 'cancelled' | 'missing'>;
  /**
   * Puts these rows back into waiting, as a further run, if they are still in the given run. Returns how many. Their sessions no longer
   * belong to the batch.
   */
  runAgain(id: string, rows: readonly Pick<StoredRow, 'row' | 'run'>[]): Promise<number>;
  /**
   * Reserves the start of a session with this content for a time. False: another caller holds a reservation.
   * @param session id that the session will have; its own reservation may be repeated
   */
  holdContent(digest: string, session: string, ms: number): Promise<boolean>;
  /** Counts its sessions by status, from the indexes, without reading a session. */
  sessions(id: string): Promise<Readonly<Record<SessionStatus, number>>>;
  /** Counts its ended sessions by outcome. */
  outcomes(id: string): Promise<Readonly<Record<SessionOutcome, number>>>;
}
