import type { BatchState } from '@fleet/contracts/batches';
import { Fault } from '@fleet/contracts/faults';
import { sessionIdPattern } from '@fleet/contracts/sessions';
import type { BatchRecords } from '@fleet/ports';

export const noBatch = (id: string): Fault =>
  new Fault(
    'batch.not_found',
    'not_found',
    `Unknown batch ${JSON.stringify(id.slice(0, 64))}. Batches that were only checked are deleted after a day.`,
  );

/** @throws Fault `batch.not_found`, without a query, for an invalid id */
export const findBatch = async (batches: BatchRecords, id: string): Promise<BatchState> => {
  const state = sessionIdPattern.test(id) ? await batches.load(id) : undefined;
  if (state === undefined) throw noBatch(id);
  return state;
};
