import { Body, Controller, Headers, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { sessionPath, toSessionView } from '@fleet/api-views';
import type { Session, SessionView } from '@fleet/contracts';
import { principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import { noteForAudit } from '../audit/audit-note';
import { SessionIdPipe } from '../sessions/session-id.pipe';
import { entityTagOf } from '../http/entity-tag';
import type { HttpReply, HttpRequest } from '../http/http-types';
import { ForkDocs, RemoveLastCyclesDocs, ResumeDocs, SessionPriorityDocs } from '../openapi/session-tools-docs';
import { Retention } from '../retention/retention.service';
import { changeSessionPriority } from './change-session-priority';
import { readIdempotencyKey } from '../submission/idempotency-key';
import { SUBMISSION_RULES, type SubmissionRules } from '../submission/submit-session';
import { forkSession } from './fork-session';
import { removeLastCycles } from './remove-last-cycles';
import { SESSION_TOOLS, type SessionTools } from './reopen-session';
import { resumeSession } from './resume-session';

/** What changes how a session continues. */
@Controller('v1/sessions/:id')
export class SessionToolsController {
  constructor(
    @Inject(SESSION_TOOLS) private readonly tools: SessionTools,
    @Inject(SUBMISSION_RULES) private readonly rules: SubmissionRules,
    @Inject(Retention) private readonly retention: Retention,
  ) {}

  @Post('remove-last-cycles')
  @Requires('session.change')
  @HttpCode(200)
  @RemoveLastCyclesDocs()
  async removeLastCycles(
    @Param('id', SessionIdPipe) id: string,
    @Body() body: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionView> {
    await this.retention.checkFiles(id);
    return answer(await removeLastCycles(this.tools, id, body, ifMatch), request, reply);
  }

  @Post('resume')
  @Requires('session.change')
  @HttpCode(200)
  @ResumeDocs()
  async resume(
    @Param('id', SessionIdPipe) id: string,
    @Body() body: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionView> {
    await this.retention.checkFiles(id);
    const asked = { body, ifMatch, principal: principalOf(request) };
    return answer(await resumeSession(this.tools, id, asked), request, reply);
  }

  @Post('fork')
  @Requires('session.submit')
  @ForkDocs()
  async fork(
    @Param('id', SessionIdPipe) id: string,
    @Body() body: unknown,
    @Headers('idempotency-key') key: string | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionView> {
    await this.retention.checkFiles(id);
    const asked = { body, key: readIdempotencyKey(key), principal: principalOf(request) };
    const { session, replayed } = await forkSession(this.rules, id, asked);
    const { proposal, submitter, forkedFrom } = session.request;
    const from = `session ${id} after cycle ${String(forkedFrom?.afterCycle)}`;
    noteForAudit(request, { object: `session ${session.id}`, after: { proposal, submitter, from, replayed } });
    reply.header('location', sessionPath(session.id)).header('etag', entityTagOf(session));
    if (replayed) reply.header('idempotency-replayed', 'true');
    return toSessionView(session);
  }

  @Post('priority')
  @Requires('session.change')
  @HttpCode(200)
  @SessionPriorityDocs()
  async setPriority(
    @Param('id', SessionIdPipe) id: string,
    @Body() body: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionView> {
    const asked = { body, ifMatch, principal: principalOf(request) };
    const { before, session } = await changeSessionPriority(this.tools, id, asked);
    const { priority } = session.request;
    noteForAudit(request, { object: `session ${id}`, before: { priority: before }, after: { priority } });
    reply.header('etag', entityTagOf(session));
    return toSessionView(session);
  }
}

const answer = (session: Session, request: HttpRequest, reply: HttpReply): SessionView => {
  const { id, status, cycle } = session;
  noteForAudit(request, { object: `session ${id}`, after: { status, cycle } });
  reply.header('etag', entityTagOf(session));
  return toSessionView(session);
};
