import type { RowResult } from '@fleet/ports';
import { noteBatchEnd } from '../webhooks/notices';
import type { BatchChange } from './batch-change';
import type { BatchColumns } from './batch-views';

/** When a row in a new state is due: to be started or cancelled. */
const dueAfter = ({ state }: RowResult['outcome'], { status, starts }: BatchColumns, now: Date): Date | null => {
  const isCancelled = status === 'cancelled';
  const isDue = state === 'accepted' ? isCancelled : state === 'checked' && (starts || isCancelled);
  return isDue ? now : null;
};

/** Writes outcomes of a batch, each row once. Returns how many were written. */
export const settleRows = async (
  change: BatchChange,
  batch: BatchColumns,
  results: readonly RowResult[],
): Promise<number> => {
  const written = await change.settleRows(
    results.map(({ row, run, outcome }) => {
      const { state, ...told } = outcome;
      return {
        row,
        run,
        state,
        outcome: told,
        session: told.session ?? null,
        dueAt: dueAfter(outcome, batch, change.now),
      };
    }),
  );
  if (written === 0) return 0;
  await change.change();
  await change.startTogether(batch);
  await noteBatchEnd(change.tx, batch);
  return written;
};
