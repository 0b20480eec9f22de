import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { toResultsView } from '@fleet/api-views';
import type { ResultsView } from '@fleet/contracts';
import { CLOCK, SESSION_RECORDS, type Clock, type SessionRecords } from '@fleet/ports';
import { Requires } from '../access/requires.decorator';
import { SessionIdPipe } from '../sessions/session-id.pipe';
import type { HttpReply } from '../http/http-types';
import { ResultsDocs, SummaryDocs } from '../openapi/session-docs';
import { findSession } from '../sessions/session-lookup';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from './agent-knowledge';

@Controller('v1/sessions/:id')
export class ResultsController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(AGENT_KNOWLEDGE) private readonly knowledge: AgentKnowledge,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get('results')
  @Requires('session.read')
  @ResultsDocs()
  async results(@Param('id', SessionIdPipe) id: string): Promise<ResultsView> {
    const session = await findSession(this.records, id);
    const { knowledge } = this;
    return toResultsView(
      session,
      knowledge.bestFiles(session),
      knowledge.cyclesOfBest(session),
      knowledge.fileUses(session),
    );
  }

  @Get('summary')
  @Requires('session.read')
  @SummaryDocs()
  async summary(@Param('id', SessionIdPipe) id: string, @Res() reply: HttpReply): Promise<void> {
    const session = await findSession(this.records, id);
    const summary = this.knowledge.summary(session, this.clock.now());
    reply.header('content-type', 'text/markdown; charset=utf-8').send(summary);
  }
}
