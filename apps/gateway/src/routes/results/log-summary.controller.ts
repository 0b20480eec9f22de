import { Controller, Inject, Param } from '@nestjs/common';
import { toLogSummaryView } from '@fleet/api-views';
import type { StoredLogSummary, LogSummaryView } from '@fleet/contracts/results';
import { routes } from '@fleet/contracts/routes';
import type { CycleRecord, Session } from '@fleet/contracts/sessions';
import {
  CLOCK,
  type Clock,
  isoTime,
  LOG_SUMMARIES,
  type LogSummaries,
  TEXT_REQUESTS,
  type TextRequests,
  SESSION_RECORDS,
  type SessionRecords,
} from '@fleet/ports';
import { findFinishedCycle, findSession, RequestedTexts, type RequestedText } from '@fleet/sessions';
import { Handles } from '../../http/handles.decorator';
import { SessionIdPipe } from '../../http/session-id.pipe';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from './agent-knowledge';

/** A cycle with a result. */
interface Finished {
  readonly session: Session;
  readonly record: CycleRecord;
}

/** The log of a finished cycle does not change. */
const subjectOf = ({ session, record: { cycle } }: Finished) => ({ session, cycle, isCurrent: (): boolean => true });

/** A summary of a cycle's log in words: by the rules at once, by a model on request. */
@Controller()
export class LogSummaryController {
  private readonly texts: RequestedTexts<StoredLogSummary>;

  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(LOG_SUMMARIES) writings: Pick<LogSummaries, 'newest' | 'next'>,
    @Inject(TEXT_REQUESTS) requests: Pick<TextRequests, 'ask' | 'find'>,
    @Inject(AGENT_KNOWLEDGE) private readonly knowledge: Pick<AgentKnowledge, 'logSummary'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.texts = new RequestedTexts({ requests, writings, clock });
  }

  @Handles(routes.logSummary.read)
  async read(@Param('id', SessionIdPipe) id: string, @Param('cycle') cycle: string): Promise<LogSummaryView> {
    const finished = await this.finished(id, cycle);
    return this.view(finished, await this.texts.find(subjectOf(finished)));
  }

  @Handles(routes.logSummary.ask)
  async ask(@Param('id', SessionIdPipe) id: string, @Param('cycle') cycle: string): Promise<LogSummaryView> {
    const finished = await this.finished(id, cycle);
    return this.view(finished, await this.texts.request(subjectOf(finished)));
  }

  /** @throws Fault `session.not_found`, `cycle.not_found`, `cycle.not_finished` */
  private async finished(id: string, cycle: string): Promise<Finished> {
    const session = await findSession(this.records, id);
    return { session, record: findFinishedCycle(session, cycle) };
  }

  private view({ session, record }: Finished, text: RequestedText<StoredLogSummary>): LogSummaryView {
    const rules = { parts: this.knowledge.logSummary(record), at: isoTime(this.clock) };
    return toLogSummaryView({ id: session.id, record }, rules, text);
  }
}
