import { createHash } from 'node:crypto';
import { Body, Controller, Get, Headers, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { batchPath, toBatchPriority, toBatchView } from '@fleet/api-views';
import {
  type BatchPage,
  type BatchPriority,
  type BatchState,
  type BatchStatus,
  type BatchView,
  type RowsAdded,
  type RowsRetried,
} from '@fleet/contracts';
import { readManifest } from '@fleet/manifest';
import { principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import { VisibleSessions } from '../access/visible-sessions';
import { noteForAudit } from '../audit/audit-note';
import { ApiError } from '../errors/problem-details';
import { isKnown } from '../http/entity-tag';
import { ReadsArriving } from '../http/arriving-body';
import type { HttpReply, HttpRequest } from '../http/http-types';
import { QueryReader, type Query as QueryValues } from '../http/read-query';
import {
  BatchChangeDocs,
  BatchDocs,
  BatchListDocs,
  BatchPriorityDocs,
  BatchRetryDocs,
  MakeBatchDocs,
  RowsDocs,
} from '../openapi/batch-docs';
import { readIdempotencyKey } from '../submission/idempotency-key';
import { addRows } from './add-rows';
import { findBatch, noBatch } from './batch-lookup';
import { BATCH_RULES, type BatchRules } from './batch-rules';
import { BatchWorker } from './batch-worker';
import { changePriority } from './change-priority';
import { makeBatch } from './make-batch';
import { ManifestBody, manifestTypes } from './manifest-body';
import { retryRows } from './retry-rows';

const proposalForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const cursorForm = /^\d{15}:[0-9a-z]{26}$/;

@Controller('v1/batches')
export class BatchesController {
  constructor(
    @Inject(BATCH_RULES) private readonly rules: BatchRules,
    @Inject(BatchWorker) private readonly worker: BatchWorker,
    private readonly visible: VisibleSessions,
  ) {}

  @Post()
  @Requires('batch.submit')
  @MakeBatchDocs()
  async make(
    @Body() body: unknown,
    @Headers('idempotency-key') key: string | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<BatchView> {
    const { state, replayed } = await makeBatch(body, readIdempotencyKey(key), this.rules, principalOf(request));
    this.worker.wake();
    const { id, proposal, submitter } = state.batch;
    noteForAudit(request, { object: `batch ${id}`, after: { proposal, submitter, replayed } });
    reply.header('location', batchPath(state.batch.id));
    if (replayed) reply.header('idempotency-replayed', 'true');
    return this.view(state);
  }

  @Get()
  @Requires('session.list')
  @BatchListDocs()
  async list(@Query() query: QueryValues, @Req() request: HttpRequest): Promise<BatchPage> {
    const reader = new QueryReader(query, ['proposal', 'limit', 'cursor']);
    const proposal = reader.text('proposal', proposalForm, 'letters, digits, ".", "_" and "-"');
    const cursor = reader.text('cursor', cursorForm, 'a nextCursor of an earlier answer');
    const limit = reader.integer('limit', { default: 20, min: 1, max: 100 });
    reader.done();
    const filter = { ...(proposal !== undefined && { proposal }) };
    const { batches, ...next } = await this.visible.listBatches(principalOf(request), filter, limit, cursor);
    return { batches: await Promise.all(batches.map((state) => this.view(state))), ...next };
  }

  @Get(':id')
  @Requires('batch.read')
  @BatchDocs()
  async batch(
    @Param('id') id: string,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<BatchView | undefined> {
    const view = await this.view(await findBatch(this.rules.batches, id));
    const tag = `"${createHash('sha256').update(JSON.stringify(view)).digest('hex').slice(0, 32)}"`;
    reply.header('etag', tag).header('cache-control', 'no-cache');
    if (!isKnown(known, tag)) return view;
    reply.code(304);
    return undefined;
  }

  @Post(':id/rows')
  @Requires('batch.submit')
  @HttpCode(200)
  @ReadsArriving(ManifestBody)
  @RowsDocs()
  async addRows(
    @Param('id') id: string,
    @Query() query: QueryValues,
    @Body() body: unknown,
    @Req() request: HttpRequest,
  ): Promise<RowsAdded> {
    const reader = new QueryReader(query, ['complete']);
    const complete = reader.choice('complete', ['true', 'false']) === 'true';
    reader.done();
    if (!(body instanceof ManifestBody)) throw noManifest();
    try {
      const { status } = await findBatch(this.rules.batches, id);
      if (status === 'cancelled') throw new ApiError('batch.cancelled', `Batch ${id} was cancelled; no row was added.`);
      const by = principalOf(request);
      const added = await addRows(this.rules.batches, id, readManifest(body.pieces(), body.format), (rows) =>
        this.rules.rowsAdded(by, rows),
      );
      if (complete) await this.rules.batches.complete(id);
      noteForAudit(request, { after: { ...added, complete } });
      return added;
    } finally {
      body.passOver();
      this.worker.wake();
    }
  }

  @Post(':id/pause')
  @Requires('batch.change')
  @HttpCode(200)
  @BatchChangeDocs('Starts no more rows of a batch until it is resumed', 'Sessions that have been started continue.')
  pause(@Param('id') id: string, @Req() request: HttpRequest): Promise<BatchView> {
    return this.setStatus(id, 'paused', request);
  }

  @Post(':id/resume')
  @Requires('batch.change')
  @HttpCode(200)
  @BatchChangeDocs('Continues with a paused batch', 'A cancelled batch stays cancelled.')
  async resume(@Param('id') id: string, @Req() request: HttpRequest): Promise<BatchView> {
    const { status } = await findBatch(this.rules.batches, id);
    if (status === 'cancelled') throw new ApiError('batch.cancelled', `Batch ${id} was cancelled; it cannot continue.`);
    return this.setStatus(id, 'open', request);
  }

  @Post(':id/cancel')
  @Requires('batch.change')
  @HttpCode(202)
  @BatchChangeDocs(
    'Cancels a batch: no more rows are started, and its sessions are cancelled',
    'Returns at once; its sessions are cancelled one after the other. Safe to repeat.',
    202,
  )
  cancel(@Param('id') id: string, @Req() request: HttpRequest): Promise<BatchView> {
    return this.setStatus(id, 'cancelled', request);
  }

  @Post(':id/priority')
  @Requires('batch.change')
  @HttpCode(200)
  @BatchPriorityDocs()
  async setPriority(
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: HttpRequest,
  ): Promise<BatchPriority> {
    const { before, after, priority } = await changePriority(id, body, this.rules);
    const changed = toBatchPriority(after, priority);
    const { rows, sessions } = changed;
    const earlier = before.priority ?? before.batch.defaults?.priority;
    noteForAudit(request, {
      before: earlier === undefined ? {} : { priority: earlier },
      after: { priority, rows, sessions },
    });
    return changed;
  }

  @Post(':id/retry')
  @Requires('batch.change')
  @HttpCode(202)
  @BatchRetryDocs()
  async retry(@Param('id') id: string, @Body() body: unknown, @Req() request: HttpRequest): Promise<RowsRetried> {
    const retried = await retryRows(id, body, this.rules);
    noteForAudit(request, { after: { ...retried } });
    this.worker.wake();
    return retried;
  }

  private async setStatus(id: string, wanted: BatchStatus, request: HttpRequest): Promise<BatchView> {
    const { status } = await findBatch(this.rules.batches, id);
    if ((await this.rules.batches.setStatus(id, wanted)) === 'missing') throw noBatch(id);
    this.worker.wake();
    noteForAudit(request, { before: { status }, after: { status: wanted } });
    return this.view(await findBatch(this.rules.batches, id));
  }

  private async view(state: BatchState): Promise<BatchView> {
    const { batches } = this.rules;
    const { id } = state.batch;
    const [sessions, outcomes] = await Promise.all([batches.sessions(id), batches.outcomes(id)]);
    return toBatchView(state, sessions, outcomes);
  }
}

const noManifest = (): ApiError =>
  new ApiError('request.unsupported_media_type', 'Rows are sent as a manifest; nothing was done.', [
    {
      field: 'Content-Type',
      reason: 'is none of a manifest',
      allowed: Object.keys(manifestTypes).join(', '),
      code: 'field.value',
    },
  ]);
