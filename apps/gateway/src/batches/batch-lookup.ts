import { sessionIdPattern, type BatchState } from '@fleet/contracts';
import type { BatchRecords } from '@fleet/ports';
import { ApiError } from '../errors/problem-details';

export const noBatch = (id: string): ApiError =>
  new ApiError(
    'batch.not_found',
    `There is no batch ${JSON.stringify(id.slice(0, 64))}. One whose rows were only checked is kept for a day, and one of which nothing came as long as a session that has ended.`,
  );

/** @throws ApiError `batch.not_found`, without asking the store when this cannot be an id */
export const findBatch = async (batches: BatchRecords, id: string): Promise<BatchState> => {
  const state = sessionIdPattern.test(id) ? await batches.load(id) : undefined;
  if (state === undefined) throw noBatch(id);
  return state;
};
