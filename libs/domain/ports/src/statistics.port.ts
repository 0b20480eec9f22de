import type { StatisticsGroup, StatisticsGrouping } from '@fleet/contracts/statistics';
import type { SessionFilter } from './session-index.port';

export const STATISTICS = Symbol('SessionStatistics');

/** Figures of many sessions, answered in one query. */
export interface SessionStatistics {
  /**
   * Sessions that match the filter, by what they have in common: months, resolutions and paths in their order, others by number of sessions, the
   * most first. By resolution and path, only ended sessions count.
   */
  groups(
    by: StatisticsGrouping,
    filter: Pick<SessionFilter, 'since' | 'until' | 'proposal' | 'beamline' | 'submitter' | 'within'>,
  ): Promise<readonly StatisticsGroup[]>;
}
