import type { StandingAnswer } from '@fleet/contracts';
import { SESSION_RECORDS, type SessionRecords } from '@fleet/ports';
import { Controller, Get, Inject, Param } from '@nestjs/common';
import { Requires } from '../access/requires.decorator';
import { StandingDocs } from '../openapi/shares-docs';
import { SessionIdPipe } from '../sessions/session-id.pipe';
import { checkSessionId, noSession } from '../sessions/session-lookup';
import { Standings } from './standings.service';

/** Apart from the session itself: it changes without a change of the record, which entity tags are made from. */
@Controller('v1/sessions')
export class StandingsController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(Standings) private readonly standings: Standings,
  ) {}

  @Get(':id/standing')
  @Requires('session.read')
  @StandingDocs()
  async standing(@Param('id', SessionIdPipe) id: string): Promise<StandingAnswer> {
    checkSessionId(id);
    const head = await this.records.loadHead(id);
    if (head === undefined) throw noSession(id);
    const standing = await this.standings.of(head);
    return standing === undefined ? {} : { standing };
  }
}
