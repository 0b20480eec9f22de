import { Controller, Get, Inject, Param } from '@nestjs/common';
import type { AssessmentView } from '@fleet/contracts';
import { CLOCK, isoTime, SESSION_RECORDS, type Clock, type SessionRecords } from '@fleet/ports';
import { Requires } from '../access/requires.decorator';
import { AssessmentDocs } from '../openapi/session-docs';
import { SessionIdPipe } from '../sessions/session-id.pipe';
import { findSession } from '../sessions/session-lookup';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from './agent-knowledge';

/** What a session is worth, in words. */
@Controller('v1/sessions/:id/assessment')
export class AssessmentController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(AGENT_KNOWLEDGE) private readonly knowledge: Pick<AgentKnowledge, 'assessment'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Requires('session.read')
  @AssessmentDocs()
  async read(@Param('id', SessionIdPipe) id: string): Promise<AssessmentView> {
    const session = await findSession(this.records, id);
    const { status, version } = session;
    const parts = this.knowledge.assessment(session);
    return { id, status, version, writtenBy: 'rules', writtenAt: isoTime(this.clock), parts };
  }
}
