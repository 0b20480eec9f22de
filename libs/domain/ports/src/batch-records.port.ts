import type { Batch, BatchState, BatchStatus, EarlierSession, FirstStep, RowState } from '@fleet/contracts/batches';
import type { Priority } from '@fleet/contracts/launches';
import type { ApiProblem, FileUse, SessionOutcome, SessionStatus } from '@fleet/contracts/sessions';

export const BATCH_RECORDS = Symbol('BatchRecords');

/** A row as it arrives. */
export interface NewRow {
  /** Stands for its content: two rows of a batch with the same digest are one. */
  readonly digest: string;
  readonly line: number;
  /** What it says, as JSON; of a row that cannot be read, what is wrong with it. */
  readonly content: { readonly row: string } | { readonly problem: ApiProblem };
}

/** The outcome of a row. */
export interface RowOutcome {
  readonly state: RowState;
  readonly session?: string;
  /** Of the same data in the same proposal. */
  readonly earlier?: EarlierSession;
  readonly problems?: readonly ApiProblem[];
  /** Files that its session uses for nothing. */
  readonly unused?: readonly FileUse[];
  /** Of a row that is only checked. */
  readonly first?: FirstStep;
}

/** A row as it is stored. */
export interface StoredRow extends RowOutcome {
  /** From 1, in the order of arrival. */
  readonly row: number;
  readonly digest: string;
  readonly line: number;
  readonly run: number;
}

/** Rows of a batch that are to be looked at now. */
export interface ClaimedRows {
  readonly batch: Batch;
  readonly status: BatchStatus;
  /** False: rows are checked, and not started. */
  readonly starts: boolean;
  /** As `BatchState.priority`. */
  readonly priority?: Priority;
  readonly rows: readonly (StoredRow & {
    /** As `NewRow.content.row`; absent of a row that could not be read. */
    readonly content?: string;
  })[];
}

export interface AddedRows {
  readonly added: number;
  readonly known: number;
  /** Rows that found no place: the batch has as many as one may have. */
  readonly left: number;
  readonly rows: number;
}

export interface BatchesPage {
  readonly batches: readonly BatchState[];
  readonly nextCursor?: string;
}

/**
 * The batch records. What there is to do for a batch stands in the store with it: rows that are due. Who takes some claims them for a time; a
 * row whose claim runs out is due again, so that whoever dies leaves nothing undone, and whoever is slow has done nothing twice that matters.
 * Each method is atomic, and may throw a transient `Fault` when the store cannot be reached. Every implementation passes
 * `batchRecordsContract` in libs/testing.
 */
export interface BatchRecords {
  /** `exists` when the id is taken: nothing changes. */
  create(batch: Batch): Promise<'created' | 'exists'>;
  load(id: string): Promise<BatchState | undefined>;
  /** Newest first; without those whose rows are only checked, which end by themselves (`checkedBatchMs`). */
  list(filter: { readonly proposal?: string }, limit: number, cursor?: string): Promise<BatchesPage>;
  /** Adds rows whose digest the batch does not have, in their order, as far as there is room. Undefined: no such batch. */
  addRows(id: string, rows: readonly NewRow[], maxRows: number): Promise<AddedRows | undefined>;
  /** No more rows follow: a batch whose rows start together may start. */
  complete(id: string): Promise<boolean>;
  /** Rows behind this one, in their order. */
  rows(id: string, after: number, limit: number): Promise<readonly StoredRow[]>;
  /** Takes rows of one batch that are due; of several batches each in its turn. */
  claim(limit: number, claimMs: number): Promise<ClaimedRows | undefined>;
  /** Writes down the outcome of a row. False: it was run again meanwhile, or has its session already; nothing changes. */
  settle(id: string, row: Pick<StoredRow, 'row' | 'run'>, outcome: RowOutcome): Promise<boolean>;
  /** Nothing more is to be done for these rows. */
  finish(id: string, rows: readonly number[]): Promise<void>;
  /** These rows are due again after this time. */
  putOff(id: string, rows: readonly number[], inMs: number): Promise<void>;
  /** Paused, no row of it is due. Cancelled, every row is due once more: to be cancelled. A cancelled batch stays so. */
  setStatus(id: string, status: BatchStatus): Promise<BatchStatus | 'missing'>;
  /** Rows that are claimed from now on have this priority. A cancelled batch starts none: it stays as it is. */
  setPriority(id: string, priority: Priority): Promise<'set' | 'cancelled' | 'missing'>;
  /**
   * These rows wait again, as a further run, where they still are in this one. Returns how many do. Their sessions are no more sessions of the
   * batch.
   */
  runAgain(id: string, rows: readonly Pick<StoredRow, 'row' | 'run'>[]): Promise<number>;
  /**
   * Nobody else starts a session of this content for so long. False: somebody else has said so already, and their time has not run out.
   * @param session whoever is going to start it, by the id that it will have: saying it again is not a contradiction
   */
  holdContent(digest: string, session: string, ms: number): Promise<boolean>;
  /** Its sessions by status, from the indexes: nothing is counted twice, and nothing is read of a session. */
  sessions(id: string): Promise<Readonly<Record<SessionStatus, number>>>;
  /** Those that have ended by outcome, as `sessions`. */
  outcomes(id: string): Promise<Readonly<Record<SessionOutcome, number>>>;
}
