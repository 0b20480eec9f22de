import { Controller, Inject, Param } from '@nestjs/common';
import { toAssessmentView } from '@fleet/api-views';
import type { AssessmentView, StoredAssessment } from '@fleet/contracts/results';
import { routes } from '@fleet/contracts/routes';
import type { Session } from '@fleet/contracts/sessions';
import {
  ASSESSMENTS,
  type Assessments,
  CLOCK,
  type Clock,
  isoTime,
  TEXT_REQUESTS,
  type TextRequests,
  SESSION_RECORDS,
  type SessionRecords,
} from '@fleet/ports';
import { findSession, RequestedTexts, type RequestedText } from '@fleet/sessions';
import { Handles } from '../../http/handles.decorator';
import { SessionIdPipe } from '../../http/session-id.pipe';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from './agent-knowledge';

/** The current state of the session. */
const subjectOf = (session: Session) => ({
  session,
  isCurrent: ({ version }: StoredAssessment): boolean => version === session.version,
});

/** An assessment of a session in words: by the rules at once, by a model on request. */
@Controller()
export class AssessmentController {
  private readonly texts: RequestedTexts<StoredAssessment>;

  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(ASSESSMENTS) writings: Pick<Assessments, 'newest' | 'next'>,
    @Inject(TEXT_REQUESTS) requests: Pick<TextRequests, 'ask' | 'find'>,
    @Inject(AGENT_KNOWLEDGE) private readonly knowledge: Pick<AgentKnowledge, 'assessment'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.texts = new RequestedTexts({ requests, writings, clock });
  }

  @Handles(routes.assessment.read)
  async read(@Param('id', SessionIdPipe) id: string): Promise<AssessmentView> {
    const session = await findSession(this.records, id);
    return this.view(session, await this.texts.find(subjectOf(session)));
  }

  @Handles(routes.assessment.ask)
  async ask(@Param('id', SessionIdPipe) id: string): Promise<AssessmentView> {
    const session = await findSession(this.records, id);
    return this.view(session, await this.texts.request(subjectOf(session)));
  }

  private view(session: Session, text: RequestedText<StoredAssessment>): AssessmentView {
    const rules = { parts: this.knowledge.assessment(session), at: isoTime(this.clock) };
    return toAssessmentView(session, rules, text);
  }
}
