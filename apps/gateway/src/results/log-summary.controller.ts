import { Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { toLogSummaryView } from '@fleet/api-views';
import type { CycleRecord, KeptLogSummary, LogSummaryView, Session } from '@fleet/contracts';
import {
  CLOCK,
  isoTime,
  LOG_SUMMARIES,
  MODEL_WISHES,
  SESSION_RECORDS,
  type Clock,
  type LogSummaries,
  type ModelWishes,
  type SessionRecords,
} from '@fleet/ports';
import { Requires } from '../access/requires.decorator';
import { ApiError } from '../errors/problem-details';
import { AskLogSummaryDocs, LogSummaryDocs } from '../openapi/session-docs';
import { SessionIdPipe } from '../sessions/session-id.pipe';
import { findCycle, findSession } from '../sessions/session-lookup';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from './agent-knowledge';
import { askToWrite, writtenOf, type Written } from './asked-writing';

/** A cycle that has its result. */
interface Finished {
  readonly session: Session;
  readonly record: CycleRecord;
}

/** The log of a finished cycle does not change. */
const subjectOf = ({ session, record: { cycle } }: Finished) => ({ session, cycle, isCurrent: (): boolean => true });

/** What the log of a cycle says, in words: the rules say it at once, a model when it is asked for. */
@Controller('v1/sessions/:id/cycles/:cycle/log-summary')
export class LogSummaryController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(LOG_SUMMARIES) private readonly writings: Pick<LogSummaries, 'newest' | 'next'>,
    @Inject(MODEL_WISHES) private readonly wishes: Pick<ModelWishes, 'ask' | 'find'>,
    @Inject(AGENT_KNOWLEDGE) private readonly knowledge: Pick<AgentKnowledge, 'logSummary'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Requires('session.read')
  @LogSummaryDocs()
  async read(@Param('id', SessionIdPipe) id: string, @Param('cycle') cycle: string): Promise<LogSummaryView> {
    const finished = await this.finished(id, cycle);
    return this.view(finished, await writtenOf(this.parts(), subjectOf(finished)));
  }

  @Post()
  @Requires('session.change')
  @HttpCode(202)
  @AskLogSummaryDocs()
  async ask(@Param('id', SessionIdPipe) id: string, @Param('cycle') cycle: string): Promise<LogSummaryView> {
    const finished = await this.finished(id, cycle);
    return this.view(finished, await askToWrite(this.parts(), subjectOf(finished)));
  }

  /** @throws ApiError `session.not_found`, `cycle.not_found`, `cycle.not_finished` */
  private async finished(id: string, cycle: string): Promise<Finished> {
    const session = await findSession(this.records, id);
    const record = findCycle(session, cycle);
    if (record.result !== undefined) return { session, record };
    throw new ApiError(
      'cycle.not_finished',
      `Cycle ${cycle} of session ${id} has no result yet, and its log may still grow. Ask again when it has ended.`,
    );
  }

  private parts() {
    const { wishes, writings, clock } = this;
    return { wishes, writings, clock };
  }

  private view({ session, record }: Finished, written: Written<KeptLogSummary>): LogSummaryView {
    const rules = { parts: this.knowledge.logSummary(record), at: isoTime(this.clock) };
    return toLogSummaryView({ id: session.id, record }, rules, written);
  }
}
