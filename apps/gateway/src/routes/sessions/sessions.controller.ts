import { Body, Controller, Headers, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { sessionPath, toSessionView } from '@fleet/api-views';
import { routes } from '@fleet/contracts/routes';
import type { SessionHead, SessionPage, SessionView } from '@fleet/contracts/sessions';
import { SESSION_RECORDS, type SessionRecords } from '@fleet/ports';
import { CancelSession, findHead, findSession, startSubmission, SubmitSession } from '@fleet/sessions';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import { VisibleSessions } from '../../auth/access/visible-sessions';
import { noteForAudit } from '../../http/audit-note';
import { SessionIdPipe } from '../../http/session-id.pipe';
import { entityTagOf, isKnown } from '../../http/entity-tag';
import type { HttpReply, HttpRequest } from '../../http/http-types';
import type { Query as QueryValues } from '../../http/read-query';
import { readIdempotencyKey } from '../../http/idempotency-key';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from '../results/agent-knowledge';
import { QueueStatuses } from '../shares/queue-statuses';
import { readListQuery } from '../../http/read-list-query';

@Controller()
export class SessionsController {
  @Inject(SESSION_RECORDS) private readonly records: SessionRecords;
  @Inject() private readonly visible: VisibleSessions;
  @Inject() private readonly submitting: SubmitSession;
  @Inject() private readonly cancelling: CancelSession;
  @Inject(AGENT_KNOWLEDGE) private readonly knowledge: AgentKnowledge;
  @Inject() private readonly queueStatuses: QueueStatuses;

  @Handles(routes.sessions.submit)
  async submit(
    @Body() body: unknown,
    @Headers('idempotency-key') key: string | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionView> {
    const principal = principalOf(request);
    const ready = await this.submitting.ready(body, readIdempotencyKey(key), principal);
    const [{ session, replayed }, similar] = await Promise.all([
      startSubmission(ready),
      this.visible.similarTo(principal, ready.session),
    ]);
    const { proposal, submitter } = session.request;
    noteForAudit(request, { object: `session ${session.id}`, after: { proposal, submitter, replayed } });
    reply.header('location', sessionPath(session.id)).header('etag', entityTagOf(session));
    if (replayed) reply.header('idempotency-replayed', 'true');
    const fileUses = this.knowledge.fileUses(session);
    return { ...toSessionView(session), ...(similar.length > 0 && { similar }), fileUses };
  }

  @Handles(routes.sessions.list)
  async list(@Query() query: QueryValues, @Req() request: HttpRequest): Promise<SessionPage> {
    return this.queueStatuses.shownIn(await this.visible.list(principalOf(request), readListQuery(query)));
  }

  @Handles(routes.sessions.session)
  async session(
    @Param('id', SessionIdPipe) id: string,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionView | undefined> {
    // The head is enough for a client that has this state already.
    if (known !== undefined && this.answerFromTag(await findHead(this.records, id), known, reply)) return undefined;
    const session = await findSession(this.records, id);
    this.answerFromTag(session, undefined, reply);
    return toSessionView(session);
  }

  @Handles(routes.sessions.status)
  async status(
    @Param('id', SessionIdPipe) id: string,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionHead | undefined> {
    const head = await findHead(this.records, id);
    return this.answerFromTag(head, known, reply) ? undefined : head;
  }

  @Handles(routes.sessions.cancel)
  cancel(@Param('id', SessionIdPipe) id: string, @Req() request: HttpRequest): Promise<SessionHead> {
    return this.cancelling.run(id, ({ before: { status, cycle }, head }) =>
      noteForAudit(request, { object: `session ${id}`, before: { status, cycle }, after: { status: head.status } }),
    );
  }

  /** Sets the ETag; returns true if the client has this state, and nothing more must be sent. */
  private answerFromTag(head: SessionHead, known: string | undefined, reply: HttpReply): boolean {
    const tag = entityTagOf(head);
    reply.header('etag', tag).header('cache-control', 'no-cache');
    if (!isKnown(known, tag)) return false;
    reply.code(304);
    return true;
  }
}
