import { createHash } from 'node:crypto';
import { Body, Controller, Headers, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { batchPath, toBatchPriority, toBatchView } from '@fleet/api-views';
import { AddRows, ChangeBatchPriority, findBatch, MakeBatch, RetryRows, SetBatchStatus } from '@fleet/batches';
import {
  type BatchPage,
  type BatchPriority,
  type BatchState,
  type BatchStatus,
  type BatchView,
  manifestTypes,
  type RowsAdded,
  type RowsRetried,
} from '@fleet/contracts/batches';
import { routes } from '@fleet/contracts/routes';
import { readManifest } from '@fleet/manifest';
import { BATCH_RECORDS, type BatchRecords } from '@fleet/ports';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import { VisibleSessions } from '../../auth/access/visible-sessions';
import { noteForAudit } from '../../http/audit-note';
import { ApiError } from '../../http/errors/problem-details';
import { isKnown } from '../../http/entity-tag';
import { ReadsArriving } from '../../http/arriving-body';
import type { HttpReply, HttpRequest } from '../../http/http-types';
import { type Query as QueryValues, readQuery } from '../../http/read-query';
import { readIdempotencyKey } from '../../http/idempotency-key';
import { BatchWorker } from './batch-worker';
import { ManifestBody } from '../../http/manifest-body';

@Controller()
export class BatchesController {
  @Inject(BATCH_RECORDS) private readonly batches: BatchRecords;
  @Inject() private readonly making: MakeBatch;
  @Inject() private readonly adding: AddRows;
  @Inject() private readonly status: SetBatchStatus;
  @Inject() private readonly prioritising: ChangeBatchPriority;
  @Inject() private readonly retrying: RetryRows;
  @Inject() private readonly worker: BatchWorker;
  @Inject() private readonly visible: VisibleSessions;

  @Handles(routes.batches.make)
  async make(
    @Body() body: unknown,
    @Headers('idempotency-key') key: string | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<BatchView> {
    const { state, replayed } = await this.making.run(body, readIdempotencyKey(key), principalOf(request));
    this.worker.wake();
    const { id, proposal, submitter } = state.batch;
    noteForAudit(request, { object: `batch ${id}`, after: { proposal, submitter, replayed } });
    reply.header('location', batchPath(state.batch.id));
    if (replayed) reply.header('idempotency-replayed', 'true');
    return this.view(state);
  }

  @Handles(routes.batches.list)
  async list(@Query() query: QueryValues, @Req() request: HttpRequest): Promise<BatchPage> {
    const { proposal, cursor, limit } = readQuery(routes.batches.list, query);
    const filter = { ...(proposal !== undefined && { proposal }) };
    const { batches, ...next } = await this.visible.listBatches(principalOf(request), filter, limit, cursor);
    return { batches: await Promise.all(batches.map((state) => this.view(state))), ...next };
  }

  @Handles(routes.batches.batch)
  async batch(
    @Param('id') id: string,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<BatchView | undefined> {
    const view = await this.view(await findBatch(this.batches, id));
    const tag = `"${createHash('sha256').update(JSON.stringify(view)).digest('hex').slice(0, 32)}"`;
    reply.header('etag', tag).header('cache-control', 'no-cache');
    if (!isKnown(known, tag)) return view;
    reply.code(304);
    return undefined;
  }

  @Handles(routes.batches.addRows)
  @ReadsArriving(ManifestBody)
  async addRows(
    @Param('id') id: string,
    @Query() query: QueryValues,
    @Body() body: unknown,
    @Req() request: HttpRequest,
  ): Promise<RowsAdded> {
    const complete = readQuery(routes.batches.addRows, query).complete === 'true';
    if (!(body instanceof ManifestBody)) throw noManifest();
    try {
      const entries = readManifest(body.pieces(), body.format);
      const added = await this.adding.run(id, entries, complete, principalOf(request));
      noteForAudit(request, { after: { ...added, complete } });
      return added;
    } finally {
      body.passOver();
      this.worker.wake();
    }
  }

  @Handles(routes.batches.pause)
  pause(@Param('id') id: string, @Req() request: HttpRequest): Promise<BatchView> {
    return this.setStatus(id, 'paused', request);
  }

  @Handles(routes.batches.resume)
  resume(@Param('id') id: string, @Req() request: HttpRequest): Promise<BatchView> {
    return this.setStatus(id, 'open', request);
  }

  @Handles(routes.batches.cancel)
  cancel(@Param('id') id: string, @Req() request: HttpRequest): Promise<BatchView> {
    return this.setStatus(id, 'cancelled', request);
  }

  @Handles(routes.batches.setPriority)
  async setPriority(
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: HttpRequest,
  ): Promise<BatchPriority> {
    const { before, after, priority } = await this.prioritising.run(id, body);
    const changed = toBatchPriority(after, priority);
    const { rows, sessions } = changed;
    const earlier = before.priority ?? before.batch.defaults?.priority;
    noteForAudit(request, {
      before: earlier === undefined ? {} : { priority: earlier },
      after: { priority, rows, sessions },
    });
    return changed;
  }

  @Handles(routes.batches.retry)
  async retry(@Param('id') id: string, @Body() body: unknown, @Req() request: HttpRequest): Promise<RowsRetried> {
    const retried = await this.retrying.run(id, body);
    noteForAudit(request, { after: { ...retried } });
    this.worker.wake();
    return retried;
  }

  private async setStatus(id: string, wanted: BatchStatus, request: HttpRequest): Promise<BatchView> {
    const { before, after } = await this.status.run(id, wanted);
    this.worker.wake();
    noteForAudit(request, { before: { status: before.status }, after: { status: wanted } });
    return this.view(after);
  }

  private async view(state: BatchState): Promise<BatchView> {
    const { batches } = this;
    const { id } = state.batch;
    const [sessions, outcomes] = await Promise.all([batches.sessions(id), batches.outcomes(id)]);
    return toBatchView(state, sessions, outcomes);
  }
}

const noManifest = (): ApiError =>
  new ApiError('request.unsupported_media_type', 'The content type is not one of a manifest; nothing was done.', [
    {
      field: 'Content-Type',
      reason: 'is not a content type of a manifest',
      allowed: manifestTypes.join(', '),
      code: 'field.value',
    },
  ]);
