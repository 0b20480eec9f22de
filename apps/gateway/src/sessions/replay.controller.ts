import { Controller, Get, Inject, Optional, Param } from '@nestjs/common';
import { Fault, type Replay } from '@fleet/contracts';
import { PROGRAM_CATALOGUES, SESSION_RECORDS, type ProgramCatalogues, type SessionRecords } from '@fleet/ports';
import { installedPrograms } from '@fleet/steps';
import { Requires } from '../access/requires.decorator';
import type { DecisionDesk } from '../decisions/decision-task';
import { DECISION_DESK } from '../decisions/decisions.controller';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options';
import { ReplayDocs } from '../openapi/session-docs';
import { SessionIdPipe } from './session-id.pipe';
import { findSession } from './session-lookup';

/** Whether a session would go the same way today. */
@Controller('v1/sessions/:id')
export class ReplayController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(PROGRAM_CATALOGUES) private readonly catalogues: ProgramCatalogues,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
    @Optional() @Inject(DECISION_DESK) private readonly desk?: DecisionDesk,
  ) {}

  @Get('replay')
  @Requires('session.read')
  @ReplayDocs()
  async replay(@Param('id', SessionIdPipe) id: string): Promise<Replay> {
    const session = await findSession(this.records, id);
    const replayed = this.desk?.replay?.(session, await installedPrograms(this.catalogues, this.options.backend));
    if (replayed === undefined) throw new Fault('replay.no_desk', 'bug', 'This gateway has no threads for decisions');
    return replayed;
  }
}
