import { sessionOrders, sessionOutcomes, sessionStatuses } from '@fleet/contracts';
import { ApiBody, ApiHeader, ApiQuery } from '@nestjs/swagger';
import { answers } from './answers';

const etag = { ETag: 'changes whenever the session changes' };
const ifNoneMatch = ApiHeader({
  name: 'If-None-Match',
  required: false,
  description: '304 if the session has not changed',
});
const decimal = { type: 'number' };
const query = (
  name: string,
  description: string,
  schema: Record<string, unknown> = { type: 'string' },
): MethodDecorator => ApiQuery({ name, required: false, description, schema });
const integer = { type: 'integer' };
const dateTime = { type: 'string', format: 'date-time' };

export const SubmissionDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Starts a session',
      description: 'All problems of a submission are listed at once, and nothing is started.',
      changes: true,
      status: 201,
      schema: 'Session',
      headers: { Location: 'the session', ...etag, 'Idempotency-Replayed': 'true when the key was used before' },
      errors: [409, 422],
    },
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'repeating the same key and body returns the same session',
    }),
    ApiBody({ schema: { $ref: '#/components/schemas/Submission' } }),
  );

export const SessionListDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Lists sessions, newest first',
      description:
        'A session must match everything that is given. Sessions without the value that they are sorted by come last; sessions with the same value are sorted by time.',
      status: 200,
      schema: 'SessionList',
    },
    query('status', 'only these', { type: 'string', enum: [...sessionStatuses] }),
    query('outcome', 'only ended sessions with this outcome', { type: 'string', enum: [...sessionOutcomes] }),
    query('proposal', 'only sessions of this proposal'),
    query('beamline', 'only sessions from this beamline'),
    query('batch', 'only sessions of this batch'),
    query('submitter', 'only sessions of this submitter'),
    query('text', 'only sessions whose title, sample or id contains this, in any case'),
    query('failure', 'only sessions that ended without success for a reason that contains this, in any case'),
    query('ligand', 'only sessions with this ligand: requested, given as a dictionary or fitted; a code such as NAG'),
    query('spaceGroup', 'only sessions in this space group: of the last model, otherwise of the data'),
    query(
      'cell',
      'only crystals with this cell in any setting: a, b, c in Å and alpha, beta, gamma in degrees, then the letter of its centring (by default that of spaceGroup, otherwise P)',
    ),
    query(
      'cellTolerance',
      'percent of the edges and degrees by which reduced cells may differ, 0 to 10, by default 1',
      decimal,
    ),
    query('minResolution', 'only sessions whose data have a resolution of at least this, in Å', decimal),
    query('maxResolution', 'only sessions whose data have a resolution of at most this, in Å', decimal),
    query('minRFree', 'only sessions with an R-free of at least this, a fraction', decimal),
    query('maxRFree', 'only sessions with an R-free of at most this, a fraction', decimal),
    query('minCc', 'only sessions with a map correlation of at least this', decimal),
    query('maxCc', 'only sessions with a map correlation of at most this', decimal),
    query('program', 'only sessions that have started this program, such as phenix.refine'),
    query('since', 'only sessions submitted at this time or later', dateTime),
    query('until', 'only sessions submitted before this time', dateTime),
    query('sort', 'by default -created: the newest first; "-" is descending', {
      type: 'string',
      enum: [...sessionOrders],
    }),
    query('limit', '1 to 500, by default 50', integer),
    query('cursor', 'nextCursor of the previous page, with the same filters and sort'),
  );

export const CountsDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'How many sessions run, wait and have ended',
      description: 'Of those that a list with the same parameters would show.',
      status: 200,
      schema: 'SessionCounts',
    },
    query('proposal', 'only sessions of this proposal'),
    query('beamline', 'only sessions from this beamline'),
    query('batch', 'only sessions of this batch'),
    query('submitter', 'only sessions of this submitter'),
  );

export const WallDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'What a wall shows: counts, the sessions that run, and those that ended last',
      description:
        'Of the sessions within reach, with no more of each than a screen may show that everybody can walk up to.',
      status: 200,
      schema: 'Wall',
    },
    query('proposal', 'only sessions of this proposal'),
    query('beamline', 'only sessions from this beamline'),
  );

export const SessionDocs = (): MethodDecorator =>
  answers(
    { summary: 'A session with its cycles', status: 200, schema: 'Session', headers: etag, errors: [404, 409] },
    ifNoneMatch,
  );

export const StatusDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'The status of a session: cheap, for polling',
      status: 200,
      schema: 'SessionHead',
      headers: etag,
      errors: [404, 409],
    },
    ifNoneMatch,
  );

export const CancelDocs = (): MethodDecorator =>
  answers({
    summary: 'Cancels a session: its program is stopped, its files are kept',
    description:
      'Returns at once; the session is `cancelling` until everything it started has stopped. Safe to repeat.',
    changes: true,
    status: 202,
    schema: 'SessionHead',
    errors: [404, 409],
  });

export const EventsDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Past and live events, as Server-Sent Events',
      description:
        'Each message is an Event as JSON with its id. The stream ends with an `end` event once the session has ended. ' +
        'With `Accept: application/json` it returns the events so far (EventList).',
      status: 200,
      media: 'text/event-stream',
      schema: 'EventList',
      errors: [404, 409],
    },
    ApiHeader({ name: 'Last-Event-ID', required: false, description: 'continue after this event' }),
    query('after', 'continue after this event; the header takes precedence'),
    query('limit', 'of a JSON answer: 1 to 5000, by default 1000', integer),
  );

const logHeaders = {
  'X-Log-Attempt': 'the attempt it is from',
  'X-Log-Offset': 'where these bytes begin',
  'X-Log-Next-Offset': 'pass it as offset to continue',
  'X-Log-Size': 'bytes so far',
  'X-Log-Complete': 'true when nothing more will come',
};

export const LogDocs = (): MethodDecorator =>
  answers(
    {
      summary: "The program's output by byte range, also while it runs",
      status: 200,
      media: 'text/plain',
      headers: logHeaders,
      errors: [404, 409, 410],
    },
    query('offset', 'bytes from the start, by default 0; negative: from the end', integer),
    query('limit', 'maximum number of bytes, by default 65536, at most 1048576', integer),
    query('attempt', 'by default the last one', integer),
  );

export const ResultsDocs = (): MethodDecorator =>
  answers({
    summary: 'Best files, last metrics, all output files',
    status: 200,
    schema: 'Results',
    errors: [404, 409],
  });

export const TraceDocs = (): MethodDecorator =>
  answers({
    summary: 'All operations of a session with their times, and what models have cost',
    description:
      'Folded from the record and the ledger of requests to models: decisions, requests, waits, attempts, analyses.',
    status: 200,
    schema: 'Trace',
    errors: [404, 409],
  });

export const ReplayDocs = (): MethodDecorator =>
  answers({
    summary: "The decisions of a session, made again under the gateway's knowledge",
    description:
      'Each decision is made again from the cycles before it, by the rules. The recorded choices of language models are given back. Nothing is changed. 503 with Retry-After when all threads are busy, 422 when it takes too long.',
    status: 200,
    schema: 'Replay',
    errors: [404, 409, 422],
  });

export const PromptsDocs = (): MethodDecorator =>
  answers({
    summary: 'What models were asked in a cycle, and what they replied',
    description: 'Empty where no model was asked. A question to which no reply was kept has no messages.',
    status: 200,
    schema: 'Prompts',
    errors: [404, 409],
  });

export const AssessmentDocs = (): MethodDecorator =>
  answers({
    summary: 'What a session is worth, in five parts',
    description:
      'The newest: of a model, where one was asked and has answered; else of the rules, from the record as it is now. Nobody is asked. Numbers of a model that the session does not have are marked.',
    status: 200,
    schema: 'Assessment',
    errors: [404, 409],
  });

export const AskAssessmentDocs = (): MethodDecorator =>
  answers({
    summary: 'Lets a model say what a session is worth',
    description:
      'Returns at once; `asked` until a model of the role `analysis` has answered. It changes nothing of the session, and no step waits for it. Where a model has assessed the session as it is already, where the session lets only the rules decide, and where no model has the role, nobody is asked, and it is `ready`. Safe to repeat.',
    changes: true,
    status: 202,
    schema: 'Assessment',
    errors: [404, 409],
  });

export const LogSummaryDocs = (): MethodDecorator =>
  answers({
    summary: 'What the log of a finished cycle says',
    description:
      'The newest: of a model, where one was asked and has answered; else of the rules, of what the analysis has read, each number with its line. Nobody is asked. Numbers of a model that the service does not find are marked.',
    status: 200,
    schema: 'LogSummary',
    errors: [404, 409],
  });

export const AskLogSummaryDocs = (): MethodDecorator =>
  answers({
    summary: 'Lets a model say what the log of a finished cycle says',
    description:
      'Returns at once; `asked` until a model of the role `cheap` has answered. It changes nothing of the session, and no step waits for it. Where a model has summed up this log already, where the session lets only the rules decide, and where no model has the role, nobody is asked, and it is `ready`. Safe to repeat.',
    changes: true,
    status: 202,
    schema: 'LogSummary',
    errors: [404, 409],
  });

export const SummaryDocs = (): MethodDecorator =>
  answers({
    summary: 'The summary of a session, as Markdown',
    status: 200,
    media: 'text/markdown',
    errors: [404, 409],
  });
