import type { BatchState } from '../batches/batches';

/** Why no row of a batch starts if its rows start together: they wait for each other, and for the end of the manifest. */
export const standsStill = ({
  batch,
  complete,
  states,
}: Pick<BatchState, 'batch' | 'complete' | 'states'>): 'refused' | 'incomplete' | undefined => {
  if (batch.start !== 'together' || states.accepted > 0) return undefined;
  if (!complete) return 'incomplete';
  return states.rejected > 0 ? 'refused' : undefined;
};

/** Rows that are still to be checked or started. */
export const rowsToDo = (state: Pick<BatchState, 'batch' | 'complete' | 'states'>): number => {
  const { waiting, checked } = state.states;
  const starting = state.batch.start === 'together' && standsStill(state) === undefined;
  return waiting + (starting ? checked : 0);
};

/** Milliseconds for which a check-only batch (`start`: never) is stored after its last change. It has no effect, and is in no list. */
export const checkedBatchMs = 86_400_000;
