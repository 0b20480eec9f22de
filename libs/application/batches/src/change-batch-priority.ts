import type { BatchState } from '@fleet/contracts/batches';
import { Fault } from '@fleet/contracts/faults';
import type { Priority } from '@fleet/contracts/launches';
import { routes } from '@fleet/contracts/routes';
import { collectBody, ProblemList } from '@fleet/problems';
import { checkPriority } from '@fleet/sessions';
import { findBatch, noBatch } from './find-batch';
import type { BatchPorts } from './batch-ports';
import { principalOfRows } from './principal-of-rows';

export interface ChangedPriority {
  readonly before: BatchState;
  readonly after: BatchState;
  readonly priority: Priority;
}

/** Validates the body for the whole batch; a row with its own beamline is checked again when it starts. */
const readPriority = async (
  { batch }: BatchState,
  body: unknown,
  { sessions }: Pick<BatchPorts, 'sessions'>,
): Promise<Priority> => {
  const problems = new ProblemList();
  const { priority = 'standard' } = collectBody(routes.batches.setPriority, body, problems);
  const { proposal, defaults: { beamline = '' } = {} } = batch;
  await checkPriority(principalOfRows(batch), { priority, proposal, beamline }, sessions, problems);
  if (problems.isEmpty) return priority;
  throw new Fault('request.invalid', 'caller', `The priority of batch ${batch.id} is unchanged.`, {
    problems: problems.all,
  });
};

/**
 * Changes the priority of the rows that are not sessions yet. Idempotent; of two concurrent calls the later one counts. A row that is being
 * started may have the earlier one.
 */
export class ChangeBatchPriority {
  constructor(private readonly ports: Pick<BatchPorts, 'batches' | 'sessions'>) {}

  /** @throws Fault `batch.not_found`, `batch.cancelled` or `request.invalid` with all problems */
  async run(id: string, body: unknown): Promise<ChangedPriority> {
    const { batches } = this.ports;
    const before = await findBatch(batches, id);
    const priority = await readPriority(before, body, this.ports);
    const done = await batches.setPriority(id, priority);
    if (done === 'missing') throw noBatch(id);
    if (done === 'cancelled')
      throw new Fault('batch.cancelled', 'conflict', `Batch ${id} was cancelled; no further rows start.`);
    return { before, after: await findBatch(batches, id), priority };
  }
}
