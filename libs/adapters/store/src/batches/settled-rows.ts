import type { RowState } from '@fleet/contracts/batches';
import type { RowOutcome, StoredRow } from '@fleet/ports';
import { noteBatchEnd } from '../webhooks/notices';
import type { BatchChange, SettledRow } from './batch-change';
import type { BatchColumns } from './batch-views';

/** Whether another state may replace this one. */
const isOpen = (from: RowState, to: RowState): boolean =>
  from === 'waiting' || from === 'checked' || (from === 'cancelled' && to === 'accepted');

/** When a row in a new state is due: to be started or cancelled. */
const dueAfter = (state: RowState, { status, starts }: BatchColumns, now: Date): Date | null => {
  const isCancelled = status === 'cancelled';
  const isDue = state === 'accepted' ? isCancelled : state === 'checked' && (starts || isCancelled);
  return isDue ? now : null;
};

/** An outcome to write. */
export interface Settling {
  readonly id: string;
  readonly run: Pick<StoredRow, 'row' | 'run'>;
  readonly outcome: RowOutcome;
}

/** Writes outcomes of one batch in order. Returns the written ones. */
export const settleRows = async (
  change: BatchChange,
  kept: BatchColumns | undefined,
  those: readonly Settling[],
): Promise<readonly Settling[]> => {
  if (kept === undefined) return [];
  const found = await change.rows(those.map(({ run }) => run.row));
  const rows = new Map(found.map((one) => [one.row, one]));
  const changed = new Map<number, SettledRow>();
  const written = those.filter(({ run, outcome }) => {
    const before = rows.get(run.row);
    const state = changed.get(run.row)?.state ?? before?.state;
    if (state === undefined || before?.run !== run.run || !isOpen(state, outcome.state)) return false;
    const { state: to, ...told } = outcome;
    const due = dueAfter(to, kept, change.now);
    changed.set(run.row, { row: run.row, state: to, outcome: told, session: told.session ?? null, due_at: due });
    return true;
  });
  if (changed.size === 0) return written;
  await change.settleRows([...changed.values()]);
  await change.change();
  await change.startTogether(kept);
  await noteBatchEnd(change.tx, kept);
  return written;
};
