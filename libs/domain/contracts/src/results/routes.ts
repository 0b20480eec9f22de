import { resultsViewSchema } from '../sessions/answers';
import { assessmentViewSchema } from './assessment';
import { logSummaryViewSchema } from './log-summary';
import { pageLimit } from '../route/query';
import { replaySchema } from './replay';
import { declareRoutes } from '../route/route';
import { choice, integer, text, usual } from '../schema/schema';
import { promptsSchema, traceSchema } from './trace';

/** Maximum size of a log part in a response, in bytes. */
const longestLogPart = 1024 * 1024;

export const resultsRoutes = declareRoutes({
  results: {
    results: {
      method: 'GET',
      path: '/v1/sessions/{id}/results',
      permission: 'session.read',
      summary: 'Results of a session: best files, last metrics, all output files',
      answer: resultsViewSchema,
      errors: [404, 409],
    },
    summary: {
      method: 'GET',
      path: '/v1/sessions/{id}/summary',
      permission: 'session.read',
      summary: 'The summary of a session, as Markdown',
      media: 'text/markdown',
      errors: [404, 409],
    },
  },
  sessionFiles: {
    log: {
      method: 'GET',
      path: '/v1/sessions/{id}/cycles/{cycle}/log',
      permission: 'session.download',
      summary: 'Log of a program by byte range, also while it runs',
      query: {
        offset: usual(
          integer('first byte, default 0; a negative number counts from the end', {
            minimum: -longestLogPart,
            maximum: Number.MAX_SAFE_INTEGER,
          }),
          0,
        ),
        limit: pageLimit('maximum number of bytes, default 65536, at most 1048576', longestLogPart, 64 * 1024),
        attempt: integer('attempt number; default: the last attempt', { minimum: 1, maximum: 1000 }),
      },
      media: 'text/plain',
      answerHeaders: {
        'X-Log-Attempt': 'attempt that wrote these bytes',
        'X-Log-Offset': 'offset of the first byte',
        'X-Log-Next-Offset': 'offset of the next byte; pass it as `offset` to continue',
        'X-Log-Size': 'size of the log so far, in bytes',
        'X-Log-Complete': 'true if the log is complete',
      },
      errors: [404, 409, 410],
    },
    file: {
      method: 'GET',
      path: '/v1/sessions/{id}/files/{cycle}/{path}',
      permission: 'session.download',
      summary: 'Downloads an output file of a cycle, or a submitted file (cycle 0)',
      description:
        'A submitted file is available after a program of the session has used it. If it differs from the accepted file, the response is 409 `file.changed` with the difference.',
      parameters: {
        path: text(
          'file name as in the results, with slashes; for a submitted file its path without the leading slash',
        ),
      },
      headers: {
        Range: { description: 'bytes=FROM-TO: returns this range with status 206' },
        'If-Range': { description: 'ETag of the file; the range applies only if the file still has it' },
      },
      media: 'application/octet-stream',
      answerHeaders: { 'Accept-Ranges': 'bytes', ETag: 'value for If-Range' },
      otherAnswers: { 206: { description: 'the requested range' } },
      errors: [404, 409, 410, 416],
    },
  },
  archive: {
    archive: {
      method: 'GET',
      path: '/v1/sessions/{id}/files.zip',
      permission: 'session.download',
      summary: 'Downloads files of a session in one archive (ZIP)',
      description:
        'Contains one folder per cycle, `summary.md` and the checksums in `SHA256SUMS`. `MISSING.txt` lists files that are no longer readable. The archive is streamed: an interrupted download has no central directory and cannot be opened.',
      query: {
        which: usual(
          choice(['results', 'all'], 'results (default): the best files; all: every output file of every cycle'),
          'results',
        ),
      },
      media: 'application/zip',
      errors: [404, 409, 410],
    },
  },
  assessment: {
    read: {
      method: 'GET',
      path: '/v1/sessions/{id}/assessment',
      permission: 'session.read',
      summary: 'Assessment of a session, in five parts',
      description:
        'The newest assessment: by a language model if one was requested and has answered, otherwise by the rules from the current record. No model is called. Numbers from a model that do not occur in the session are marked.',
      answer: assessmentViewSchema,
      errors: [404, 409],
    },
    ask: {
      method: 'POST',
      path: '/v1/sessions/{id}/assessment',
      permission: 'session.change',
      summary: 'Requests an assessment of a session by a language model',
      description:
        'Returns immediately; the state is `pending` until a model with the role `analysis` has answered. The session does not change, and no step waits. No model is called, and the state is `ready`, if a model has already assessed the session in its present state, if only rules decide in the session, or if no model has the role. Safe to repeat.',
      status: 202,
      answer: assessmentViewSchema,
      errors: [404, 409],
    },
  },
  logSummary: {
    read: {
      method: 'GET',
      path: '/v1/sessions/{id}/cycles/{cycle}/log-summary',
      permission: 'session.read',
      summary: 'Summary of the log of a finished cycle',
      description:
        'The newest summary: by a language model if one was requested and has answered, otherwise by the rules from the analysed log, each number with its line. No model is called. Numbers from a model that do not occur in the log are marked.',
      answer: logSummaryViewSchema,
      errors: [404, 409],
    },
    ask: {
      method: 'POST',
      path: '/v1/sessions/{id}/cycles/{cycle}/log-summary',
      permission: 'session.change',
      summary: 'Requests a log summary of a finished cycle by a language model',
      description:
        'Returns immediately; the state is `pending` until a model with the role `cheap` has answered. The session does not change, and no step waits. No model is called, and the state is `ready`, if a model has already summarised this log, if only rules decide in the session, or if no model has the role. Safe to repeat.',
      status: 202,
      answer: logSummaryViewSchema,
      errors: [404, 409],
    },
  },
  trace: {
    trace: {
      method: 'GET',
      path: '/v1/sessions/{id}/trace',
      permission: 'session.read',
      summary: 'Trace of a session: all operations with their times, and the cost of language models',
      description:
        'Derived from the record and the ledger of model requests: decisions, requests, waits, attempts and analyses.',
      answer: traceSchema,
      errors: [404, 409],
    },
    prompts: {
      method: 'GET',
      path: '/v1/sessions/{id}/cycles/{cycle}/prompts',
      permission: 'session.download',
      summary: 'Prompts and replies of the language models in a cycle',
      description: 'Empty if no model was called. A prompt whose reply was not stored has no messages.',
      answer: promptsSchema,
      errors: [404, 409],
    },
  },
  replay: {
    replay: {
      method: 'GET',
      path: '/v1/sessions/{id}/replay',
      permission: 'session.read',
      summary: "Replays the decisions of a session with the gateway's knowledge",
      description:
        'The rules make each decision again from the cycles before it; recorded choices of language models are reused. Nothing is changed. 503 with Retry-After if all threads are busy; 422 if the replay takes too long.',
      answer: replaySchema,
      errors: [404, 409, 422],
    },
  },
});
