import { routes } from '@fleet/contracts/routes';
import type { StatisticsGrouping } from '@fleet/contracts/statistics';
import type { SessionFilter } from '@fleet/ports';
import { given, msOf, readQuery, type Query } from '../../http/read-query';

interface StatisticsQuery {
  readonly by: StatisticsGrouping;
  readonly filter: Pick<SessionFilter, 'since' | 'until' | 'proposal' | 'beamline' | 'submitter'>;
}

/** @throws ApiError `request.invalid` with every problem */
export const readStatisticsQuery = (query: Query): StatisticsQuery => {
  const { by, since, until, ...group } = readQuery(routes.statistics.statistics, query);
  return { by, filter: given({ ...group, since: msOf(since), until: msOf(until) }) };
};
