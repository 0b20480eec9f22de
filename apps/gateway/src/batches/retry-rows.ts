import { retryWishSchema, type Retriable, type RowsRetried } from '@fleet/contracts';
import type { StoredRow } from '@fleet/ports';
import { ApiError } from '../errors/problem-details';
import { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';
import { findBatch } from './batch-lookup';
import type { BatchRules } from './batch-rules';
import { rowPages } from './row-pages';

const usually: readonly Retriable[] = ['rejected', 'failed'];

const readWish = (body: unknown): ReadonlySet<string> => {
  const problems = new ProblemList();
  const { of = usually } = readBody(retryWishSchema, body ?? {}, problems);
  if (!problems.isEmpty) throw new ApiError('request.invalid', 'It is not clear which rows are meant.', problems.all);
  return new Set(of);
};

const wantedIn = async (
  rows: readonly StoredRow[],
  wanted: ReadonlySet<string>,
  { index }: Pick<BatchRules, 'index'>,
): Promise<readonly StoredRow[]> => {
  const accepted = rows.filter(({ verdict }) => verdict === 'accepted');
  const sessions = await index.rows(accepted.flatMap(({ session }) => session ?? []));
  const ended = new Set(sessions.filter((row) => row !== undefined && wanted.has(row.status)).map((row) => row?.id));
  return rows.filter(({ verdict, session }) => (verdict === 'accepted' ? ended.has(session) : wanted.has(verdict)));
};

/**
 * Runs rows again, each as a new session. Repeating it runs none twice: a row that runs again has not failed.
 * @throws ApiError `batch.not_found`, `batch.cancelled`
 */
export const retryRows = async (id: string, body: unknown, rules: BatchRules): Promise<RowsRetried> => {
  const wanted = readWish(body);
  const { status } = await findBatch(rules.batches, id);
  if (status === 'cancelled')
    throw new ApiError(
      'batch.cancelled',
      `Batch ${id} was cancelled; its rows do not run again. Submit them as a new batch.`,
    );
  let retried = 0;
  for await (const rows of rowPages(rules.batches, id)) {
    const again = await wantedIn(rows, wanted, rules);
    if (again.length > 0) retried += await rules.batches.runAgain(id, again);
  }
  return { retried };
};
