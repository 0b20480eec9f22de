import { Readable } from 'node:stream';
import { Controller, Inject, Param, Query, Res } from '@nestjs/common';
import { toBatchRow } from '@fleet/api-views';
import type { BatchResultPage, BatchRowPage } from '@fleet/contracts/batches';
import { routes } from '@fleet/contracts/routes';
import { BatchResults, findBatch, rowsBehind } from '@fleet/batches';
import { BATCH_RECORDS, type BatchRecords } from '@fleet/ports';
import { Handles } from '../../http/handles.decorator';
import type { HttpReply } from '../../http/http-types';
import { type Query as QueryValues, readQuery } from '../../http/read-query';
import { RowWaits } from './row-waits';

@Controller()
export class BatchResultsController {
  constructor(
    @Inject(BATCH_RECORDS) private readonly batches: BatchRecords,
    private readonly waits: RowWaits,
    private readonly made: BatchResults,
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
  results(@Param('id') id: string, @Query() query: QueryValues): Promise<BatchResultPage> {
    const { sort, limit, cursor = 0 } = readQuery(routes.batchResults.results, query);
    return this.made.page(id, sort, Number(cursor), limit);
  }

  @Handles(routes.batchResults.csv)
  async csv(
    @Param('id') id: string,
    @Query() query: QueryValues,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<Readable> {
    const { sort } = readQuery(routes.batchResults.csv, query);
    const lines = await this.made.csv(id, sort);
    reply
      .header('content-type', 'text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="batch-${id}.csv"`);
    return Readable.from(lines);
  }
}
