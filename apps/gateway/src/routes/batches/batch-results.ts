import { sessionOfRow, toBatchResult } from '@fleet/api-views';
import type { BatchResult, ResultOrder } from '@fleet/contracts/batches';
import type { BatchRecords, SessionIndex, StoredRow } from '@fleet/ports';
import { byOrder } from '@fleet/session-report';
import { rowPages } from '@fleet/batches';

interface Parts {
  readonly batches: BatchRecords;
  readonly index: SessionIndex;
}

/** Results of rows so far. */
export const resultsOfRows = async (
  rows: readonly StoredRow[],
  { index }: Pick<Parts, 'index'>,
): Promise<readonly BatchResult[]> => {
  const sessions = await index.rows(rows.flatMap((row) => sessionOfRow(row) ?? []));
  const byId = new Map(sessions.flatMap((session) => (session === undefined ? [] : [[session.id, session] as const])));
  return rows.map((row) => toBatchResult(row, byId.get(sessionOfRow(row) ?? '')));
};

async function* inOrderOfRows(id: string, parts: Parts): AsyncGenerator<readonly BatchResult[]> {
  for await (const rows of rowPages(parts.batches, id)) yield resultsOfRows(rows, parts);
}

/** All results of a batch as a stream; for sorting they are all read first. */
export async function* allResults(
  id: string,
  order: ResultOrder,
  parts: Parts,
): AsyncGenerator<readonly BatchResult[]> {
  if (order === 'row') {
    yield* inOrderOfRows(id, parts);
    return;
  }
  const all: BatchResult[] = [];
  for await (const results of inOrderOfRows(id, parts)) all.push(...results);
  yield all.sort(byOrder(order));
}
