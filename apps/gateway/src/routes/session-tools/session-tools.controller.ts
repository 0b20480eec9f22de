import { Body, Controller, Headers, Param, Req, Res } from '@nestjs/common';
import { sessionPath, toSessionView } from '@fleet/api-views';
import { routes } from '@fleet/contracts/routes';
import type { Session, SessionView } from '@fleet/contracts/sessions';
import { Retention } from '@fleet/retention';
import { ChangeSessionPriority, ForkSession, RemoveLastCycles, ResumeSession } from '@fleet/sessions';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import { noteForAudit } from '../../http/audit-note';
import { SessionIdPipe } from '../../http/session-id.pipe';
import { entityTagOf, seenBy } from '../../http/entity-tag';
import type { HttpReply, HttpRequest } from '../../http/http-types';
import { readIdempotencyKey } from '../../http/idempotency-key';

/** Changes to how a session continues. */
@Controller()
export class SessionToolsController {
  constructor(
    private readonly removing: RemoveLastCycles,
    private readonly resuming: ResumeSession,
    private readonly forking: ForkSession,
    private readonly prioritising: ChangeSessionPriority,
    private readonly retention: Retention,
  ) {}

  @Handles(routes.sessionTools.removeLastCycles)
  async removeLastCycles(
    @Param('id', SessionIdPipe) id: string,
    @Body() body: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionView> {
    await this.retention.checkFiles(id);
    return answer(await this.removing.run(id, body, seenBy(ifMatch).isSeen), request, reply);
  }

  @Handles(routes.sessionTools.resume)
  async resume(
    @Param('id', SessionIdPipe) id: string,
    @Body() body: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionView> {
    await this.retention.checkFiles(id);
    const order = { body, ...seenBy(ifMatch), principal: principalOf(request) };
    return answer(await this.resuming.run(id, order), request, reply);
  }

  @Handles(routes.sessionTools.fork)
  async fork(
    @Param('id', SessionIdPipe) id: string,
    @Body() body: unknown,
    @Headers('idempotency-key') key: string | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionView> {
    await this.retention.checkFiles(id);
    const order = { body, key: readIdempotencyKey(key), principal: principalOf(request) };
    const { session, replayed } = await this.forking.run(id, order);
    const { proposal, submitter, forkedFrom } = session.request;
    const from = `session ${id} after cycle ${String(forkedFrom?.afterCycle)}`;
    noteForAudit(request, { object: `session ${session.id}`, after: { proposal, submitter, from, replayed } });
    reply.header('location', sessionPath(session.id)).header('etag', entityTagOf(session));
    if (replayed) reply.header('idempotency-replayed', 'true');
    return toSessionView(session);
  }

  @Handles(routes.sessionTools.setPriority)
  async setPriority(
    @Param('id', SessionIdPipe) id: string,
    @Body() body: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionView> {
    const order = { body, ...seenBy(ifMatch), principal: principalOf(request) };
    const { before, session } = await this.prioritising.run(id, order);
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
