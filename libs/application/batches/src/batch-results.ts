import { batchCsvHeader, batchCsvLine, sessionOfRow, toBatchResult } from '@fleet/api-views';
import type { BatchResult, BatchResultPage, ResultOrder } from '@fleet/contracts/batches';
import type { StoredRow } from '@fleet/ports';
import { byOrder } from '@fleet/session-report';
import type { BatchPorts } from './batch-ports';
import { findBatch } from './find-batch';
import { rowPages, rowsBehind } from './row-pages';

/** Results of the rows of a batch so far. */
export class BatchResults {
  constructor(private readonly ports: Pick<BatchPorts, 'batches' | 'index'>) {}

  /**
   * A page of results. The cursor of a sorted list is an offset, because the sort values change while sessions run.
   * @throws Fault `batch.not_found`
   */
  async page(id: string, order: ResultOrder, start: number, limit: number): Promise<BatchResultPage> {
    const { batches } = this.ports;
    await findBatch(batches, id);
    if (order === 'row') {
      const { rows, ...next } = await rowsBehind(batches, id, start, limit, () => true);
      return { results: await this.ofRows(rows), ...next };
    }
    const all = await this.sorted(id, order);
    const results = all.slice(start, start + limit);
    return start + limit < all.length ? { results, nextCursor: String(start + limit) } : { results };
  }

  /**
   * All results as CSV. Sorted ones are all read first.
   * @throws Fault `batch.not_found`, before the first line
   */
  async csv(id: string, order: ResultOrder): Promise<AsyncIterable<string>> {
    await findBatch(this.ports.batches, id);
    return csvLines(order === 'row' ? this.inOrderOfRows(id) : [await this.sorted(id, order)]);
  }

  private async sorted(id: string, order: ResultOrder): Promise<readonly BatchResult[]> {
    const all: BatchResult[] = [];
    for await (const results of this.inOrderOfRows(id)) all.push(...results);
    return all.sort(byOrder(order));
  }

  private async *inOrderOfRows(id: string): AsyncGenerator<readonly BatchResult[]> {
    for await (const rows of rowPages(this.ports.batches, id)) yield this.ofRows(rows);
  }

  private async ofRows(rows: readonly StoredRow[]): Promise<readonly BatchResult[]> {
    const sessions = await this.ports.index.rows(rows.flatMap((row) => sessionOfRow(row) ?? []));
    const byId = new Map(
      sessions.flatMap((session) => (session === undefined ? [] : [[session.id, session] as const])),
    );
    return rows.map((row) => toBatchResult(row, byId.get(sessionOfRow(row) ?? '')));
  }
}

async function* csvLines(
  pages: AsyncIterable<readonly BatchResult[]> | Iterable<readonly BatchResult[]>,
): AsyncGenerator<string> {
  yield batchCsvHeader();
  for await (const results of pages) yield results.map(batchCsvLine).join('');
}
