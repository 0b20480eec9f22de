import { Body, Controller, Get, Headers, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { sessionPath, toSessionView } from '@fleet/api-views';
import { isEnded, type SessionHead, type SessionPage, type SessionView } from '@fleet/contracts';
import { CLOCK, isoTime, SESSION_RECORDS, type Clock, type SessionRecords } from '@fleet/ports';
import { principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import { VisibleSessions } from '../access/visible-sessions';
import { noteForAudit } from '../audit/audit-note';
import { SessionIdPipe } from './session-id.pipe';
import { SubmissionDocs, SessionDocs, SessionListDocs, StatusDocs, CancelDocs } from '../openapi/session-docs';
import { ApiError } from '../errors/problem-details';
import { entityTagOf, isKnown } from '../http/entity-tag';
import type { HttpReply, HttpRequest } from '../http/http-types';
import type { Query as QueryValues } from '../http/read-query';
import { readIdempotencyKey } from '../submission/idempotency-key';
import { SUBMISSION_RULES, readySubmission, startSubmission, type SubmissionRules } from '../submission/submit-session';
import { Standings } from '../shares/standings.service';
import { readListQuery } from './read-list-query';
import { checkSessionId, findSession, noSession } from './session-lookup';

@Controller('v1/sessions')
export class SessionsController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    private readonly visible: VisibleSessions,
    @Inject(SUBMISSION_RULES) private readonly rules: SubmissionRules,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(Standings) private readonly standings: Standings,
  ) {}

  @Post()
  @Requires('session.submit')
  @SubmissionDocs()
  async submit(
    @Body() body: unknown,
    @Headers('idempotency-key') key: string | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionView> {
    const principal = principalOf(request);
    const ready = await readySubmission(body, readIdempotencyKey(key), this.rules, principal);
    const [{ session, replayed }, similar] = await Promise.all([
      startSubmission(ready),
      this.visible.similarTo(principal, ready.session),
    ]);
    const { proposal, submitter } = session.request;
    noteForAudit(request, { object: `session ${session.id}`, after: { proposal, submitter, replayed } });
    reply.header('location', sessionPath(session.id)).header('etag', entityTagOf(session));
    if (replayed) reply.header('idempotency-replayed', 'true');
    const fileUses = this.rules.knowledge.fileUses(session);
    return { ...toSessionView(session), ...(similar.length > 0 && { similar }), fileUses };
  }

  @Get()
  @Requires('session.list')
  @SessionListDocs()
  async list(@Query() query: QueryValues, @Req() request: HttpRequest): Promise<SessionPage> {
    return this.standings.shownIn(await this.visible.list(principalOf(request), readListQuery(query)));
  }

  @Get(':id')
  @Requires('session.read')
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
  @Requires('session.read')
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
  @Requires('session.change')
  @HttpCode(202)
  @CancelDocs()
  async cancel(@Param('id', SessionIdPipe) id: string, @Req() request: HttpRequest): Promise<SessionHead> {
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
    noteForAudit(request, { object: `session ${id}`, before: { status, cycle }, after: { status: head.status } });
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
