import { Controller, Inject, Param, Res } from '@nestjs/common';
import { toResultsView } from '@fleet/api-views';
import { routes } from '@fleet/contracts/routes';
import type { ResultsView } from '@fleet/contracts/sessions';
import { CLOCK, type Clock, SESSION_RECORDS, type SessionRecords } from '@fleet/ports';
import { findSession } from '@fleet/sessions';
import { Handles } from '../../http/handles.decorator';
import { SessionIdPipe } from '../../http/session-id.pipe';
import type { HttpReply } from '../../http/http-types';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from './agent-knowledge';

@Controller()
export class ResultsController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(AGENT_KNOWLEDGE) private readonly knowledge: AgentKnowledge,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Handles(routes.results.results)
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

  @Handles(routes.results.summary)
  async summary(@Param('id', SessionIdPipe) id: string, @Res() reply: HttpReply): Promise<void> {
    const session = await findSession(this.records, id);
    const summary = this.knowledge.summary(session, this.clock.now());
    reply.header('content-type', 'text/markdown; charset=utf-8').send(summary);
  }
}
