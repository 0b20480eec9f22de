import { Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { toAssessmentView } from '@fleet/api-views';
import type { AssessmentView, Session } from '@fleet/contracts';
import {
  ASSESSMENT_WISHES,
  ASSESSMENTS,
  CLOCK,
  isoTime,
  SESSION_RECORDS,
  type Assessments,
  type AssessmentWish,
  type AssessmentWishes,
  type Clock,
  type NumberedAssessment,
  type SessionRecords,
} from '@fleet/ports';
import { Requires } from '../access/requires.decorator';
import { ApiError } from '../errors/problem-details';
import { AskAssessmentDocs, AssessmentDocs } from '../openapi/session-docs';
import { SessionIdPipe } from '../sessions/session-id.pipe';
import { findSession } from '../sessions/session-lookup';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from './agent-knowledge';

/** Models that have failed for a session as it is are not asked about it again for so long: each try is paid. */
const pauseMs = 600_000;
/** Leaves room for when it may be asked again. */
const mostWhy = 900;

/** What a session is worth, in words: the rules say it at once, a model when it is asked for. */
@Controller('v1/sessions/:id/assessment')
export class AssessmentController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(ASSESSMENTS) private readonly assessments: Pick<Assessments, 'newest' | 'next'>,
    @Inject(ASSESSMENT_WISHES) private readonly wishes: Pick<AssessmentWishes, 'ask' | 'find'>,
    @Inject(AGENT_KNOWLEDGE) private readonly knowledge: Pick<AgentKnowledge, 'assessment'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Requires('session.read')
  @AssessmentDocs()
  async read(@Param('id', SessionIdPipe) id: string): Promise<AssessmentView> {
    const session = await findSession(this.records, id);
    // The wish first: it goes when what it wished for is there.
    const wish = await this.wishes.find(id);
    return this.view(session, wish, await this.assessments.newest(session));
  }

  @Post()
  @Requires('session.change')
  @HttpCode(202)
  @AskAssessmentDocs()
  async ask(@Param('id', SessionIdPipe) id: string): Promise<AssessmentView> {
    const session = await findSession(this.records, id);
    const newest = await this.assessments.newest(session);
    const isThere = newest?.assessment.parts !== undefined && newest.assessment.version === session.version;
    if (isThere || session.request.settings.use_rules_only) return this.view(session, undefined, newest);
    const refused = await this.failedJustNow(session, newest);
    if (refused !== undefined) return this.view(session, undefined, refused);
    const wish = await this.wishes.ask(id, await this.assessments.next(session));
    if (wish !== undefined) return this.view(session, wish, newest);
    throw new ApiError(
      'session.archived',
      `Session ${id} is archived, and models are asked about it no more. What they wrote before stays, and the rules assess it at any time.`,
    );
  }

  /** The failure of the last try, with when the next one may be made; undefined where it may be made, or is under way. */
  private async failedJustNow(
    session: Session,
    newest: NumberedAssessment | undefined,
  ): Promise<NumberedAssessment | undefined> {
    if (newest?.assessment.failed === undefined || newest.assessment.version !== session.version) return undefined;
    const againAt = Date.parse(newest.assessment.writtenAt) + pauseMs;
    if (againAt <= this.clock.now() || (await this.wishes.find(session.id)) !== undefined) return undefined;
    const { why = newest.assessment.failed } = newest.assessment;
    const again = `it may be asked again from ${new Date(againAt).toISOString()}, or when the session has changed`;
    return { ...newest, assessment: { ...newest.assessment, why: `${why.slice(0, mostWhy)}; ${again}` } };
  }

  private view(
    session: Session,
    wish: AssessmentWish | undefined,
    newest: NumberedAssessment | undefined,
  ): AssessmentView {
    const rules = { parts: this.knowledge.assessment(session), at: isoTime(this.clock) };
    return toAssessmentView(session, rules, { wish, kept: newest?.assessment });
  }
}
