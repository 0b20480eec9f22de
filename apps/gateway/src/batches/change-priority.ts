import { batchPriorityWishSchema, type BatchState, type Priority } from '@fleet/contracts';
import { ApiError } from '../errors/problem-details';
import { checkPriority } from '../submission/check-priority';
import { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';
import { findBatch, noBatch } from './batch-lookup';
import type { BatchRules } from './batch-rules';
import { principalOfRows } from './principal-of-rows';

export interface ChangedPriority {
  readonly before: BatchState;
  readonly after: BatchState;
  readonly priority: Priority;
}

/** What a body of a batch says is right for the batch as a whole: a row that names a beamline of its own is judged again when it starts. */
const readPriority = async (
  { batch }: BatchState,
  body: unknown,
  { submission }: Pick<BatchRules, 'submission'>,
): Promise<Priority> => {
  const problems = new ProblemList();
  const { priority = 'standard' } = readBody(batchPriorityWishSchema, body ?? {}, problems);
  const { proposal, defaults: { beamline = '' } = {} } = batch;
  await checkPriority(principalOfRows(batch), { priority, proposal, beamline }, submission, problems);
  if (problems.isEmpty) return priority;
  throw new ApiError('request.invalid', `The priority of batch ${batch.id} stays as it is.`, problems.all);
};

/**
 * Gives the rows of a batch that are not sessions yet another priority. Safe to repeat; of two at once the later one counts. A row that is
 * being started at this moment may have the earlier one.
 * @throws ApiError `batch.not_found`, `batch.cancelled` or `request.invalid` with everything that is wrong
 */
export const changePriority = async (id: string, body: unknown, rules: BatchRules): Promise<ChangedPriority> => {
  const before = await findBatch(rules.batches, id);
  const priority = await readPriority(before, body, rules);
  const done = await rules.batches.setPriority(id, priority);
  if (done === 'missing') throw noBatch(id);
  if (done === 'cancelled')
    throw new ApiError('batch.cancelled', `Batch ${id} was cancelled; none of its rows starts any more.`);
  return { before, after: await findBatch(rules.batches, id), priority };
};
