import { statisticsGroupings, type StatisticsGrouping } from '@fleet/contracts';
import type { SessionFilter } from '@fleet/ports';
import { QueryReader, type Query } from '../http/read-query';
import { readGroup } from '../sessions/read-list-query';

/** Whose sessions may be chosen. */
const groupNames = ['proposal', 'beamline', 'submitter'] as const;

interface StatisticsQuery {
  readonly by: StatisticsGrouping;
  readonly filter: Pick<SessionFilter, 'since' | 'until' | (typeof groupNames)[number]>;
}

/** @throws ApiError `request.invalid` with every problem that was found */
export const readStatisticsQuery = (query: Query): StatisticsQuery => {
  const reader = new QueryReader(query, ['by', 'since', 'until', ...groupNames]);
  const by = reader.choice('by', statisticsGroupings) ?? 'month';
  const [since, until] = [reader.time('since'), reader.time('until')];
  const group = readGroup(reader);
  reader.done();
  const filter = { ...group, ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  return { by, filter };
};
