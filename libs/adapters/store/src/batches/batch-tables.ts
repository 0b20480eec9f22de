import type { ColumnType, Generated } from 'kysely';
import type { Batch, BatchStatus, RowState } from '@fleet/contracts/batches';
import type { Priority } from '@fleet/contracts/launches';
import type { RowOutcome } from '@fleet/ports';
import type { Json } from '../json-column';

interface BatchesTable {
  id: string;
  proposal: string;
  status: BatchStatus;
  only_checked: boolean;
  complete: Generated<boolean>;
  starts: boolean;
  priority: Priority | null;
  rows: Generated<number>;
  turn: ColumnType<string, never, string>;
  created_at: Date;
  changed_at: Date;
  batch: Json<Batch>;
}

interface BatchRowsTable {
  batch: string;
  row: number;
  run: number;
  digest: string;
  line: number;
  state: RowState;
  session: string | null;
  outcome: Json<Omit<RowOutcome, 'state'>>;
  content: string | null;
  due_at: Date | null;
}

/** Batches and their rows. */
export interface BatchTables {
  batches: BatchesTable;
  batch_rows: BatchRowsTable;
  content_holds: { digest: string; session: string; until: Date };
}
