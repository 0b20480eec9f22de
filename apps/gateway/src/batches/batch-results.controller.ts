import { Readable } from 'node:stream';
import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import { batchCsvHeader, batchCsvLine, toBatchRow } from '@fleet/api-views';
import { rowVerdicts, type BatchResult, type BatchResultPage, type BatchRowPage } from '@fleet/contracts';
import { resultOrders, type ResultOrder } from '@fleet/session-report';
import { Requires } from '../access/requires.decorator';
import type { HttpReply } from '../http/http-types';
import { QueryReader, type Query as QueryValues } from '../http/read-query';
import { BatchCsvDocs, BatchResultsDocs, BatchRowsDocs } from '../openapi/batch-docs';
import { findBatch } from './batch-lookup';
import { allResults, resultsOfRows } from './batch-results';
import { BATCH_RULES, type BatchRules } from './batch-rules';
import { rowsBehind } from './row-pages';
import { RowWaits } from './row-waits';

const numberForm = /^\d{1,6}$/;
const cursorAllowed = 'a nextCursor of an earlier answer';
const longestPage = 500;

@Controller('v1/batches/:id')
export class BatchResultsController {
  constructor(
    @Inject(BATCH_RULES) private readonly rules: BatchRules,
    private readonly waits: RowWaits,
  ) {}

  @Get('rows')
  @Requires('batch.read')
  @BatchRowsDocs()
  async rows(@Param('id') id: string, @Query() query: QueryValues): Promise<BatchRowPage> {
    const reader = new QueryReader(query, ['verdict', 'limit', 'cursor']);
    const verdict = reader.choice('verdict', rowVerdicts);
    const cursor = reader.text('cursor', numberForm, cursorAllowed);
    const limit = reader.integer('limit', { default: 100, min: 1, max: longestPage });
    reader.done();
    const waitOf = await this.waits.of(await findBatch(this.rules.batches, id));
    const fits = (row: { readonly verdict: string }): boolean => verdict === undefined || row.verdict === verdict;
    const page = await rowsBehind(this.rules.batches, id, Number(cursor ?? 0), limit, fits);
    return { ...page, rows: page.rows.map((row) => toBatchRow(row, waitOf(row))) };
  }

  @Get('results')
  @Requires('batch.read')
  @BatchResultsDocs()
  async results(@Param('id') id: string, @Query() query: QueryValues): Promise<BatchResultPage> {
    const reader = new QueryReader(query, ['sort', 'limit', 'cursor']);
    const order = reader.choice('sort', resultOrders) ?? 'row';
    const cursor = Number(reader.text('cursor', numberForm, cursorAllowed) ?? 0);
    const limit = reader.integer('limit', { default: 100, min: 1, max: longestPage });
    reader.done();
    await findBatch(this.rules.batches, id);
    if (order !== 'row') return this.sortedPage(id, order, cursor, limit);
    const { rows, ...next } = await rowsBehind(this.rules.batches, id, cursor, limit, () => true);
    return { results: await resultsOfRows(rows, this.rules), ...next };
  }

  @Get('results.csv')
  @Requires('batch.read')
  @BatchCsvDocs()
  async csv(
    @Param('id') id: string,
    @Query() query: QueryValues,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<Readable> {
    const reader = new QueryReader(query, ['sort']);
    const order = reader.choice('sort', resultOrders) ?? 'row';
    reader.done();
    await findBatch(this.rules.batches, id);
    reply
      .header('content-type', 'text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="batch-${id}.csv"`);
    return Readable.from(csvLines(allResults(id, order, this.rules)));
  }

  /** A cursor of a sorted list is a number of results: what is sorted by changes while sessions run. */
  private async sortedPage(id: string, order: ResultOrder, start: number, limit: number): Promise<BatchResultPage> {
    const all: BatchResult[] = [];
    for await (const results of allResults(id, order, this.rules)) all.push(...results);
    const results = all.slice(start, start + limit);
    return start + limit < all.length ? { results, nextCursor: String(start + limit) } : { results };
  }
}

async function* csvLines(results: AsyncIterable<readonly BatchResult[]>): AsyncGenerator<string> {
  yield batchCsvHeader();
  for await (const part of results) yield part.map(batchCsvLine).join('');
}
