import type { StatisticsGroup, StatisticsGrouping } from '@fleet/contracts/statistics';
import type { SessionFilter } from './session-index.port';

export const STATISTICS = Symbol('SessionStatistics');

/** Figures of many sessions, from one query. */
export interface SessionStatistics {
  /**
   * Sessions that match the filter, grouped: months, resolutions and paths in their order, others by number of sessions, the largest first.
   * For resolution and path only ended sessions count.
   */
  groups(
    by: StatisticsGrouping,
    filter: Pick<SessionFilter, 'since' | 'until' | 'proposal' | 'beamline' | 'submitter' | 'within'>,
  ): Promise<readonly StatisticsGroup[]>;
}
