import type { Retriable, RowsRetried } from '@fleet/contracts/batches';
import { Fault } from '@fleet/contracts/faults';
import { routes } from '@fleet/contracts/routes';
import type { StoredRow } from '@fleet/ports';
import { collectBody, ProblemList } from '@fleet/problems';
import { findBatch } from './find-batch';
import type { BatchPorts } from './batch-ports';
import { rowPages } from './row-pages';

const usually: readonly Retriable[] = ['rejected', 'failed'];

const readRequest = (body: unknown): ReadonlySet<string> => {
  const problems = new ProblemList();
  const { of = usually } = collectBody(routes.batches.retry, body, problems);
  if (!problems.isEmpty)
    throw new Fault('request.invalid', 'caller', 'The selection of rows is ambiguous.', { problems: problems.all });
  return new Set(of);
};

const wantedIn = async (
  rows: readonly StoredRow[],
  wanted: ReadonlySet<string>,
  { index }: Pick<BatchPorts, 'index'>,
): Promise<readonly StoredRow[]> => {
  const accepted = rows.filter(({ state }) => state === 'accepted');
  const sessions = await index.rows(accepted.flatMap(({ session }) => session ?? []));
  const ended = new Set(sessions.filter((row) => row !== undefined && wanted.has(row.status)).map((row) => row?.id));
  return rows.filter(({ state, session }) => (state === 'accepted' ? ended.has(session) : wanted.has(state)));
};

/** Runs rows again, each as a new session. Idempotent: a row that runs again has not failed. */
export class RetryRows {
  constructor(private readonly ports: Pick<BatchPorts, 'batches' | 'index'>) {}

  /** @throws Fault `batch.not_found`, `batch.cancelled`, `request.invalid` */
  async run(id: string, body: unknown): Promise<RowsRetried> {
    const { batches } = this.ports;
    const wanted = readRequest(body);
    const { status } = await findBatch(batches, id);
    if (status === 'cancelled')
      throw new Fault(
        'batch.cancelled',
        'conflict',
        `Batch ${id} was cancelled; its rows do not run again. Submit them as a new batch.`,
      );
    let retried = 0;
    for await (const rows of rowPages(batches, id)) {
      const again = await wantedIn(rows, wanted, this.ports);
      if (again.length > 0) retried += await batches.runAgain(id, again);
    }
    return { retried };
  }
}
