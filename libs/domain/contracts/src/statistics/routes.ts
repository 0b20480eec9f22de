import { sessionGroup, submittedIn } from '../sessions/session-group';
import { declareRoutes } from '../route/route';
import { choice, usual } from '../schema/schema';
import { statisticsGroupings, statisticsSchema } from './statistics';

const description =
  'Of the sessions within reach: outcomes, times from the submission to the first R-free and to the end, core and GPU hours (docs/statistics.md).';
const query = {
  by: usual(choice(statisticsGroupings, 'what sessions are grouped by; by default month'), 'month'),
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
      summary: 'Statistics of the sessions of a time',
      description,
      query: query,
      answer: statisticsSchema,
    },
    csv: {
      method: 'GET',
      path: '/v1/statistics.csv',
      permission: 'session.list',
      summary: 'Statistics as a table',
      description: `${description} Times are in seconds. Texts that a spreadsheet would take for formulas are preceded by an apostrophe.`,
      query: query,
      media: 'text/csv',
    },
  },
});
