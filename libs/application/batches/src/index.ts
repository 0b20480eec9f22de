/** The commands of batches. They depend only on ports and throw Faults. */
export { AddRows } from './add-rows';
export type { BatchPorts } from './batch-ports';
export { BatchResults } from './batch-results';
export { ChangeBatchPriority } from './change-batch-priority';
export { findBatch, noBatch } from './find-batch';
export { MakeBatch } from './make-batch';
export { RetryRows } from './retry-rows';
export { rowPages, rowsBehind } from './row-pages';
export { SetBatchStatus } from './set-batch-status';
export { WorkOnRow, type RowWork } from './work-on-row';
