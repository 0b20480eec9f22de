import { Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { toAssessmentView } from '@fleet/api-views';
import type { AssessmentView, KeptAssessment, Session } from '@fleet/contracts';
import {
  ASSESSMENTS,
  CLOCK,
  isoTime,
  MODEL_WISHES,
  SESSION_RECORDS,
  type Assessments,
  type Clock,
  type ModelWishes,
  type SessionRecords,
} from '@fleet/ports';
import { Requires } from '../access/requires.decorator';
import { AskAssessmentDocs, AssessmentDocs } from '../openapi/session-docs';
import { SessionIdPipe } from '../sessions/session-id.pipe';
import { findSession } from '../sessions/session-lookup';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from './agent-knowledge';
import { askToWrite, writtenOf, type Written } from './asked-writing';

/** Of the session as it is now. */
const subjectOf = (session: Session) => ({
  session,
  isCurrent: ({ version }: KeptAssessment): boolean => version === session.version,
});

/** What a session is worth, in words: the rules say it at once, a model when it is asked for. */
@Controller('v1/sessions/:id/assessment')
export class AssessmentController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(ASSESSMENTS) private readonly writings: Pick<Assessments, 'newest' | 'next'>,
    @Inject(MODEL_WISHES) private readonly wishes: Pick<ModelWishes, 'ask' | 'find'>,
    @Inject(AGENT_KNOWLEDGE) private readonly knowledge: Pick<AgentKnowledge, 'assessment'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Requires('session.read')
  @AssessmentDocs()
  async read(@Param('id', SessionIdPipe) id: string): Promise<AssessmentView> {
    const session = await findSession(this.records, id);
    return this.view(session, await writtenOf(this.parts(), subjectOf(session)));
  }

  @Post()
  @Requires('session.change')
  @HttpCode(202)
  @AskAssessmentDocs()
  async ask(@Param('id', SessionIdPipe) id: string): Promise<AssessmentView> {
    const session = await findSession(this.records, id);
    return this.view(session, await askToWrite(this.parts(), subjectOf(session)));
  }

  private parts() {
    const { wishes, writings, clock } = this;
    return { wishes, writings, clock };
  }

  private view(session: Session, written: Written<KeptAssessment>): AssessmentView {
    const rules = { parts: this.knowledge.assessment(session), at: isoTime(this.clock) };
    return toAssessmentView(session, rules, written);
  }
}
