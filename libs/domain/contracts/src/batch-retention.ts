import type { BatchState } from './batches';

/** Why no row of a batch starts whose rows start together: they wait for each other, and for the end of the manifest. */
export const standsStill = ({
  batch,
  complete,
  verdicts,
}: Pick<BatchState, 'batch' | 'complete' | 'verdicts'>): 'refused' | 'incomplete' | undefined => {
  if (batch.start !== 'together' || verdicts.accepted > 0) return undefined;
  if (!complete) return 'incomplete';
  return verdicts.rejected > 0 ? 'refused' : undefined;
};

/** Rows that are still to be looked at or started. */
export const rowsToDo = (state: Pick<BatchState, 'batch' | 'complete' | 'verdicts'>): number => {
  const { waiting, checked } = state.verdicts;
  const starting = state.batch.start === 'together' && standsStill(state) === undefined;
  return waiting + (starting ? checked : 0);
};

/**
 * What becomes of a batch:
 * - `stays`: all of it is kept;
 * - `leaves`: what its rows said goes, and what has become of them stays, as a session that is archived leaves its row;
 * - `goes`: nothing came of it, and nothing of it is kept.
 */
export type BatchFate = 'stays' | 'leaves' | 'goes';

/** What the fate of a batch depends on beside its own state. */
export interface BatchAge {
  /** Milliseconds since rows of it were added, looked at or run again, or its status was changed. */
  readonly idleMs: number;
  /** Milliseconds that a session which has ended stays in the store. */
  readonly retentionMs: number;
  /** One of its sessions runs, or has ended within the retention. */
  readonly hasWholeSessions: boolean;
}

/** A batch stays as long as the store holds one of its sessions as a whole, and as long as it might make one. */
export const fateOfBatch = (state: BatchState, { idleMs, retentionMs, hasWholeSessions }: BatchAge): BatchFate => {
  if (rowsToDo(state) > 0 || idleMs < retentionMs || hasWholeSessions) return 'stays';
  const { accepted, duplicate } = state.verdicts;
  if (accepted + duplicate === 0) return 'goes';
  return state.archived === state.rows ? 'stays' : 'leaves';
};

/** Milliseconds for which a batch is kept whose rows are only checked (`start`: never), from its last change on. Nothing comes of it, and no list has it. */
export const checkedBatchMs = 86_400_000;
