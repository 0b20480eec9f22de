import { Body, Controller, Headers, Inject, Param, Req, Res } from '@nestjs/common';
import { toSessionView } from '@fleet/api-views';
import type { AdviceReading, Guidance } from '@fleet/contracts/guidance';
import { routes } from '@fleet/contracts/routes';
import { guidanceOf, type SessionView } from '@fleet/contracts/sessions';
import { SESSION_RECORDS, type SessionRecords } from '@fleet/ports';
import { readBody } from '@fleet/problems';
import { ChangeAdvice, findSession } from '@fleet/sessions';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import { noteForAudit } from '../../http/audit-note';
import { guidanceTag, isKnown } from '../../http/entity-tag';
import type { HttpReply, HttpRequest } from '../../http/http-types';
import { SessionIdPipe } from '../../http/session-id.pipe';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from '../results/agent-knowledge';

/** Advice in plain words: a preview without a session, and the advice of a session. */
@Controller()
export class AdviceController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(AGENT_KNOWLEDGE) private readonly knowledge: AgentKnowledge,
    private readonly advising: ChangeAdvice,
  ) {}

  @Handles(routes.advice.read)
  read(@Body() body: unknown): AdviceReading {
    const { advice, experiment } = readBody(routes.advice.read, body);
    return this.knowledge.readAdvice(advice, experiment);
  }

  @Handles(routes.advice.guidance)
  async guidance(
    @Param('id', SessionIdPipe) id: string,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<Guidance> {
    const guidance = guidanceOf(await findSession(this.records, id));
    reply.header('etag', guidanceTag(guidance)).header('cache-control', 'no-cache');
    return guidance;
  }

  @Handles(routes.advice.change)
  async change(
    @Param('id', SessionIdPipe) id: string,
    @Body() body: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SessionView> {
    const isSeen = ifMatch === undefined ? undefined : (seen: Guidance) => isKnown(ifMatch, guidanceTag(seen));
    const session = await this.advising.run(id, body, { isSeen, principal: principalOf(request) });
    const guidance = guidanceOf(session);
    noteForAudit(request, { object: `session ${session.id}`, after: { revision: guidance.revision } });
    reply.header('etag', guidanceTag(guidance));
    return toSessionView(session);
  }
}
