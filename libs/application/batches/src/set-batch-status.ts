import type { BatchState, BatchStatus } from '@fleet/contracts/batches';
import { Fault } from '@fleet/contracts/faults';
import type { BatchPorts } from './batch-ports';
import { findBatch, noBatch } from './find-batch';

/** Pauses, resumes or cancels a batch. Its sessions continue, unless it is cancelled: then a worker cancels them one after the other. */
export class SetBatchStatus {
  constructor(private readonly ports: Pick<BatchPorts, 'batches'>) {}

  /** @throws Fault `batch.not_found`, or `batch.cancelled` if a cancelled batch is resumed */
  async run(id: string, wanted: BatchStatus): Promise<{ readonly before: BatchState; readonly after: BatchState }> {
    const { batches } = this.ports;
    const before = await findBatch(batches, id);
    if (wanted === 'open' && before.status === 'cancelled')
      throw new Fault('batch.cancelled', 'conflict', `Batch ${id} was cancelled; it cannot continue.`);
    if ((await batches.setStatus(id, wanted)) === 'missing') throw noBatch(id);
    return { before, after: await findBatch(batches, id) };
  }
}
