import { sessionOutcomes, sessionStatuses } from '@fleet/contracts/sessions';
import { reading, SESSION_INDEX, type Reading, type SessionIndex } from '@fleet/ports';
import { Inject, Injectable } from '@nestjs/common';

/** Session counts. */
@Injectable()
export class SessionMetrics {
  constructor(@Inject(SESSION_INDEX) private readonly index: SessionIndex) {}

  async read(): Promise<readonly Reading[]> {
    const ofStatus = sessionStatuses.map(async (status) =>
      reading('phenix_fleet_sessions', { status }, await this.index.count({ status })),
    );
    const ofOutcome = sessionOutcomes.map(async (outcome) =>
      reading('phenix_fleet_session_outcomes', { outcome }, await this.index.count({ outcome })),
    );
    return Promise.all([...ofStatus, ...ofOutcome]);
  }
}
