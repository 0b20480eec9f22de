import { Controller, Inject, Optional, Param } from '@nestjs/common';
import { Fault } from '@fleet/contracts/faults';
import type { Replay } from '@fleet/contracts/results';
import { routes } from '@fleet/contracts/routes';
import { PROGRAM_CATALOGUES, type ProgramCatalogues, SESSION_RECORDS, type SessionRecords } from '@fleet/ports';
import { installedPrograms } from '@fleet/steps';
import { findSession } from '@fleet/sessions';
import { Handles } from '../../http/handles.decorator';
import type { DecisionDesk } from '../decisions/decision-task';
import { DECISION_DESK } from '../decisions/decisions.controller';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import { SessionIdPipe } from '../../http/session-id.pipe';

/** Whether a session would be decided the same way today. */
@Controller()
export class ReplayController {
  constructor(
    @Inject(SESSION_RECORDS) private readonly records: SessionRecords,
    @Inject(PROGRAM_CATALOGUES) private readonly catalogues: ProgramCatalogues,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
    @Optional() @Inject(DECISION_DESK) private readonly desk?: DecisionDesk,
  ) {}

  @Handles(routes.replay.replay)
  async replay(@Param('id', SessionIdPipe) id: string): Promise<Replay> {
    const session = await findSession(this.records, id);
    const replayed = this.desk?.replay?.(session, await installedPrograms(this.catalogues, this.options.backend));
    if (replayed === undefined) throw new Fault('replay.no_desk', 'bug', 'This gateway has no threads for decisions');
    return replayed;
  }
}
