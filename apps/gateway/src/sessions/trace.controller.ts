import { Controller, Get, Inject, Param } from '@nestjs/common';
import { toTraceView } from '@fleet/api-views';
import type { PromptsView, TraceView } from '@fleet/contracts';
import {
  MODEL_LEDGER,
  MODEL_REPLIES,
  SESSION_RECORDS,
  type ModelLedger,
  type ModelReplies,
  type SessionRecords,
} from '@fleet/ports';
import { Requires } from '../access/requires.decorator';
import { PromptsDocs, TraceDocs } from '../openapi/session-docs';
import { promptsOf } from './prompts-of';
import { SessionIdPipe } from './session-id.pipe';
import { findSession, knownCycle } from './session-lookup';

/** How a session came to where it is. */
@Controller('v1/sessions/:id')
export class TraceController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(MODEL_LEDGER) private readonly ledger: Pick<ModelLedger, 'entries'>,
    @Inject(MODEL_REPLIES) private readonly replies: Pick<ModelReplies, 'find'>,
  ) {}

  @Get('trace')
  @Requires('session.read')
  @TraceDocs()
  async trace(@Param('id', SessionIdPipe) id: string): Promise<TraceView> {
    const session = await findSession(this.records, id);
    return toTraceView(session, await this.ledger.entries(id));
  }

  @Get('cycles/:cycle/prompts')
  @Requires('session.download')
  @PromptsDocs()
  async prompts(@Param('id', SessionIdPipe) id: string, @Param('cycle') cycle: string): Promise<PromptsView> {
    const session = await findSession(this.records, id);
    return promptsOf(session, knownCycle(session, cycle), await this.ledger.entries(id), this.replies);
  }
}
