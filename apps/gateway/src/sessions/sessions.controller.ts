import { Body, Controller, Get, Headers, HttpCode, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { sessionPath, toSessionView } from '@fleet/api-views';
import { isEnded, type SessionHead, type SessionPage, type SessionView } from '@fleet/contracts';
import {
  CLOCK,
  isoTime,
  SESSION_INDEX,
  SESSION_RECORDS,
  type Clock,
  type SessionIndex,
  type SessionRecords,
} from '@fleet/ports';
import { SessionIdPipe } from './session-id.pipe';
import { SubmissionDocs, SessionDocs, SessionListDocs, StatusDocs, CancelDocs } from '../openapi/session-docs';
import { ApiError } from '../errors/problem-details';
import { entityTagOf, isKnown } from '../http/entity-tag';
import type { HttpReply } from '../http/http-types';
import type { Query as QueryValues } from '../http/read-query';
import {
  SUBMISSION_RULES,
  readIdempotencyKey,
  submitSession,
  type SubmissionRules,
} from '../submission/submit-session';
import { readListQuery } from './read-list-query';
import { checkSessionId, findSession, noSession } from './session-lookup';

@Controller('v1/sessions')
export class SessionsController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(SESSION_INDEX) private readonly index: SessionIndex,
    @Inject(SUBMISSION_RULES) private readonly rules: SubmissionRules,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @SubmissionDocs()
  async submit(
    @Body() body: unknown,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionView> {
    const { session, replayed } = await submitSession(body, readIdempotencyKey(key), this.rules);
    reply.header('location', sessionPath(session.id)).header('etag', entityTagOf(session));
    if (replayed) reply.header('idempotency-replayed', 'true');
    return toSessionView(session);
  }

  @Get()
  @SessionListDocs()
  async list(@Query() query: QueryValues): Promise<SessionPage> {
    const { filter, order, limit, cursor } = readListQuery(query);
    return this.index.list(filter, limit, cursor, order);
  }

  @Get(':id')
  @SessionDocs()
  async session(
    @Param('id', SessionIdPipe) id: string,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionView | undefined> {
    // The head alone answers a client that has this state already.
    if (known !== undefined && this.answerFromTag(await this.head(id), known, reply)) return undefined;
    const session = await findSession(this.records, id);
    this.answerFromTag(session, undefined, reply);
    return toSessionView(session);
  }

  @Get(':id/status')
  @StatusDocs()
  async status(
    @Param('id', SessionIdPipe) id: string,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionHead | undefined> {
    const head = await this.head(id);
    return this.answerFromTag(head, known, reply) ? undefined : head;
  }

  @Post(':id/cancel')
  @HttpCode(202)
  @CancelDocs()
  async cancel(@Param('id', SessionIdPipe) id: string): Promise<SessionHead> {
    const { cycle, status } = await this.head(id);
    const event = {
      type: 'session_cancelling',
      cycle,
      at: isoTime(this.clock),
      message: 'The cancellation of this session was requested',
      data: {},
    } as const;
    const outcome = await this.records.requestCancel(id, event);
    if (outcome === 'missing') throw noSession(id);
    const head = await this.head(id);
    if (outcome === 'ended' && head.status !== 'cancelled') {
      throw new ApiError(
        'session.ended',
        `Session ${id} has already ended: it is ${isEnded(status) ? status : head.status}.`,
      );
    }
    // The wake-up only saves time: the store has written down already that the executor must look.
    if (outcome === 'cancelling') await this.rules.wake(head);
    return head;
  }

  /** @throws ApiError `session.not_found` */
  private async head(id: string): Promise<SessionHead> {
    checkSessionId(id);
    const head = await this.records.loadHead(id);
    if (head === undefined) throw noSession(id);
    return head;
  }

  /** Sets the tag; true when the client has this state, and nothing else is to be sent. */
  private answerFromTag(head: SessionHead, known: string | undefined, reply: HttpReply): boolean {
    const tag = entityTagOf(head);
    reply.header('etag', tag).header('cache-control', 'no-cache');
    if (!isKnown(known, tag)) return false;
    reply.code(304);
    return true;
  }
}
