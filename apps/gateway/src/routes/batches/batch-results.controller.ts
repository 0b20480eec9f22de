import { Readable } from 'node:stream';
import { Controller, Inject, Param, Query, Res } from '@nestjs/common';
import { batchCsvHeader, batchCsvLine, toBatchRow } from '@fleet/api-views';
import type { BatchResult, BatchResultPage, BatchRowPage, ResultOrder } from '@fleet/contracts/batches';
import { routes } from '@fleet/contracts/routes';
import { findBatch, rowsBehind } from '@fleet/batches';
import { BATCH_RECORDS, type BatchRecords, SESSION_INDEX, type SessionIndex } from '@fleet/ports';
import { Handles } from '../../http/handles.decorator';
import type { HttpReply } from '../../http/http-types';
import { type Query as QueryValues, readQuery } from '../../http/read-query';
import { allResults, resultsOfRows } from './batch-results';
import { RowWaits } from './row-waits';

@Controller()
export class BatchResultsController {
  constructor(
    @Inject(BATCH_RECORDS) private readonly batches: BatchRecords,
    @Inject(SESSION_INDEX) private readonly index: SessionIndex,
    private readonly waits: RowWaits,
  ) {}

  @Handles(routes.batchResults.rows)
  async rows(@Param('id') id: string, @Query() query: QueryValues): Promise<BatchRowPage> {
    const { state, limit, cursor = 0 } = readQuery(routes.batchResults.rows, query);
    const fits = (row: { readonly state: string }): boolean => state === undefined || row.state === state;
    const page = await rowsBehind(this.batches, id, Number(cursor), limit, fits);
    // Read after the rows, so that it includes each of them.
    const waitOf = await this.waits.of(await findBatch(this.batches, id));
    return { ...page, rows: page.rows.map((row) => toBatchRow(row, waitOf(row))) };
  }

  @Handles(routes.batchResults.results)
  async results(@Param('id') id: string, @Query() query: QueryValues): Promise<BatchResultPage> {
    const { sort: order, limit, cursor: start = 0 } = readQuery(routes.batchResults.results, query);
    const cursor = Number(start);
    await findBatch(this.batches, id);
    if (order !== 'row') return this.sortedPage(id, order, cursor, limit);
    const { rows, ...next } = await rowsBehind(this.batches, id, cursor, limit, () => true);
    return { results: await resultsOfRows(rows, this.parts), ...next };
  }

  @Handles(routes.batchResults.csv)
  async csv(
    @Param('id') id: string,
    @Query() query: QueryValues,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<Readable> {
    const { sort: order } = readQuery(routes.batchResults.csv, query);
    await findBatch(this.batches, id);
    reply
      .header('content-type', 'text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="batch-${id}.csv"`);
    return Readable.from(csvLines(allResults(id, order, this.parts)));
  }

  private get parts() {
    const { batches, index } = this;
    return { batches, index };
  }

  /** A cursor of a sorted list is an offset, because the sort values change while sessions run. */
  private async sortedPage(id: string, order: ResultOrder, start: number, limit: number): Promise<BatchResultPage> {
    const all: BatchResult[] = [];
    for await (const results of allResults(id, order, this.parts)) all.push(...results);
    const results = all.slice(start, start + limit);
    return start + limit < all.length ? { results, nextCursor: String(start + limit) } : { results };
  }
}

async function* csvLines(results: AsyncIterable<readonly BatchResult[]>): AsyncGenerator<string> {
  yield batchCsvHeader();
  for await (const part of results) yield part.map(batchCsvLine).join('');
}
