import { Controller, Get, Inject, Param } from '@nestjs/common';
import { toTraceView } from '@fleet/api-views';
import type { TraceView } from '@fleet/contracts';
import { MODEL_LEDGER, SESSION_RECORDS, type ModelLedger, type SessionRecords } from '@fleet/ports';
import { Requires } from '../access/requires.decorator';
import { TraceDocs } from '../openapi/session-docs';
import { SessionIdPipe } from './session-id.pipe';
import { findSession } from './session-lookup';

@Controller('v1/sessions/:id')
export class TraceController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(MODEL_LEDGER) private readonly ledger: Pick<ModelLedger, 'entries'>,
  ) {}

  @Get('trace')
  @Requires('session.read')
  @TraceDocs()
  async trace(@Param('id', SessionIdPipe) id: string): Promise<TraceView> {
    const session = await findSession(this.records, id);
    return toTraceView(session, await this.ledger.entries(id));
  }
}
