import { ApiQuery } from '@nestjs/swagger';
import { statisticsGroupings } from '@fleet/contracts';
import { answers } from './answers';

const query = (name: string, description: string, schema: object = { type: 'string' }): MethodDecorator =>
  ApiQuery({ name, required: false, description, schema });

const parameters = (): readonly MethodDecorator[] => [
  query('by', 'what sessions are grouped by; by default month', { type: 'string', enum: [...statisticsGroupings] }),
  query('since', 'only sessions submitted at this time or later', { type: 'string', format: 'date-time' }),
  query('until', 'only sessions submitted before this time', { type: 'string', format: 'date-time' }),
  query('proposal', 'only sessions of this proposal'),
  query('beamline', 'only sessions from this beamline'),
  query('submitter', 'only sessions of this submitter'),
];

const description =
  'Of the sessions within reach: outcomes, times from the submission to the first R-free and to the end, core and GPU hours (docs/statistics.md).';

export const StatisticsDocs = (): MethodDecorator =>
  answers(
    { summary: 'Statistics of the sessions of a time', description, status: 200, schema: 'Statistics' },
    ...parameters(),
  );

export const StatisticsCsvDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Statistics as a table',
      description: `${description} Times are in seconds. Texts that a spreadsheet would take for formulas are preceded by an apostrophe.`,
      status: 200,
      media: 'text/csv',
    },
    ...parameters(),
  );
