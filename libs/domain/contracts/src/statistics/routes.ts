import { sessionGroup, submittedIn } from '../sessions/session-group';
import { declareRoutes } from '../route/route';
import { choice, usual } from '../schema/schema';
import { statisticsGroupings, statisticsSchema } from './statistics';

const description =
  'Outcomes, times from submission to the first R-free and to the end, core and GPU hours of the sessions that the caller may see (docs/statistics.md).';
const query = {
  by: usual(choice(statisticsGroupings, 'grouping of the sessions; default month'), 'month'),
  ...submittedIn,
  proposal: sessionGroup.proposal,
  beamline: sessionGroup.beamline,
  submitter: sessionGroup.submitter,
} as const;

export const statisticsRoutes = declareRoutes({
  statistics: {
    statistics: {
      method: 'GET',
      path: '/v1/statistics',
      permission: 'session.list',
      summary: 'Statistics of the sessions of a period',
      description,
      query: query,
      answer: statisticsSchema,
    },
    csv: {
      method: 'GET',
      path: '/v1/statistics.csv',
      permission: 'session.list',
      summary: 'Statistics as a table',
      description: `${description} Times are in seconds. Texts that a spreadsheet would read as formulas start with an apostrophe.`,
      query: query,
      media: 'text/csv',
    },
  },
});
