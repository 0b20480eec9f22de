import { Controller, Inject, Param } from '@nestjs/common';
import { toTraceView } from '@fleet/api-views';
import type { PromptsView, TraceView } from '@fleet/contracts/results';
import { routes } from '@fleet/contracts/routes';
import {
  MODEL_LEDGER,
  MODEL_REPLIES,
  type ModelLedger,
  type ModelReplies,
  SESSION_RECORDS,
  type SessionRecords,
} from '@fleet/ports';
import { findSession, knownCycle } from '@fleet/sessions';
import { Handles } from '../../http/handles.decorator';
import { promptsOf } from './prompts-of';
import { SessionIdPipe } from '../../http/session-id.pipe';

/** The history of a session. */
@Controller()
export class TraceController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(MODEL_LEDGER) private readonly ledger: Pick<ModelLedger, 'entries'>,
    @Inject(MODEL_REPLIES) private readonly replies: Pick<ModelReplies, 'find'>,
  ) {}

  @Handles(routes.trace.trace)
  async trace(@Param('id', SessionIdPipe) id: string): Promise<TraceView> {
    const session = await findSession(this.records, id);
    return toTraceView(session, await this.ledger.entries(id));
  }

  @Handles(routes.trace.prompts)
  async prompts(@Param('id', SessionIdPipe) id: string, @Param('cycle') cycle: string): Promise<PromptsView> {
    const session = await findSession(this.records, id);
    return promptsOf(session, knownCycle(session, cycle), await this.ledger.entries(id), this.replies);
  }
}
