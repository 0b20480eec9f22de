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
      summary: 'Best files, last metrics, all output files',
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
      summary: "The program's output by byte range, also while it runs",
      query: {
        offset: usual(
          integer('bytes from the start, by default 0; negative: from the end', {
            minimum: -longestLogPart,
            maximum: Number.MAX_SAFE_INTEGER,
          }),
          0,
        ),
        limit: pageLimit('maximum number of bytes, by default 65536, at most 1048576', longestLogPart, 64 * 1024),
        attempt: integer('by default the last one', { minimum: 1, maximum: 1000 }),
      },
      media: 'text/plain',
      answerHeaders: {
        'X-Log-Attempt': 'the attempt it is from',
        'X-Log-Offset': 'where these bytes begin',
        'X-Log-Next-Offset': 'pass it as offset to continue',
        'X-Log-Size': 'bytes so far',
        'X-Log-Complete': 'true when nothing more will come',
      },
      errors: [404, 409, 410],
    },
    file: {
      method: 'GET',
      path: '/v1/sessions/{id}/files/{cycle}/{path}',
      permission: 'session.download',
      summary: 'Downloads a file that a cycle made, or that was submitted (cycle 0)',
      description:
        'A submitted file is served once a program of the session has done its work with it, whose account may read it, and as it was accepted: 409 `file.changed` says how it differs from that one.',
      parameters: {
        path: text('the name that results gives, with slashes; of a submitted file its path without the first slash'),
      },
      headers: {
        Range: { description: 'bytes=FROM-TO: a part of it (206)' },
        'If-Range': { description: 'the ETag: a part only of the file that it belongs to' },
      },
      media: 'application/octet-stream',
      answerHeaders: { 'Accept-Ranges': 'bytes', ETag: 'for If-Range' },
      otherAnswers: { 206: { description: 'the part that was asked for' } },
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
        'Each file lies under its cycle, beside `summary.md`; `SHA256SUMS` has their checksums, and `MISSING.txt`, where there is one, names what cannot be read any more. It is written while it is read: an archive that was cut off has no end, and no program opens it.',
      query: {
        which: usual(
          choice(['results', 'all'], 'results, by default: the best files; all: every output of every cycle'),
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
      summary: 'What a session is worth, in five parts',
      description:
        'The newest: of a model, where one was asked and has answered; else of the rules, from the record as it is now. Nobody is asked. Numbers of a model that the session does not have are marked.',
      answer: assessmentViewSchema,
      errors: [404, 409],
    },
    ask: {
      method: 'POST',
      path: '/v1/sessions/{id}/assessment',
      permission: 'session.change',
      summary: 'Lets a model say what a session is worth',
      description:
        'Returns at once; the state is `pending` until a model of the role `analysis` has answered. It does not change the session, and no step waits for it. If a model has already assessed the session as it is, if only rules decide in the session, or if no model has the role, no model is called and the state is `ready`. Safe to repeat.',
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
      summary: 'What the log of a finished cycle says',
      description:
        'The newest: of a model, where one was asked and has answered; else of the rules, of what the analysis has read, each number with its line. Nobody is asked. Numbers of a model that the service does not find are marked.',
      answer: logSummaryViewSchema,
      errors: [404, 409],
    },
    ask: {
      method: 'POST',
      path: '/v1/sessions/{id}/cycles/{cycle}/log-summary',
      permission: 'session.change',
      summary: 'Lets a model say what the log of a finished cycle says',
      description:
        'Returns at once; the state is `pending` until a model of the role `cheap` has answered. It does not change the session, and no step waits for it. If a model has already summarised this log, if only rules decide in the session, or if no model has the role, no model is called and the state is `ready`. Safe to repeat.',
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
      summary: 'All operations of a session with their times, and what models have cost',
      description:
        'Folded from the record and the ledger of requests to models: decisions, requests, waits, attempts, analyses.',
      answer: traceSchema,
      errors: [404, 409],
    },
    prompts: {
      method: 'GET',
      path: '/v1/sessions/{id}/cycles/{cycle}/prompts',
      permission: 'session.download',
      summary: 'What models were asked in a cycle, and what they replied',
      description: 'Empty where no model was asked. A question to which no reply was kept has no messages.',
      answer: promptsSchema,
      errors: [404, 409],
    },
  },
  replay: {
    replay: {
      method: 'GET',
      path: '/v1/sessions/{id}/replay',
      permission: 'session.read',
      summary: "The decisions of a session, made again under the gateway's knowledge",
      description:
        'Each decision is made again from the cycles before it, by the rules. The recorded choices of language models are given back. Nothing is changed. 503 with Retry-After when all threads are busy, 422 when it takes too long.',
      answer: replaySchema,
      errors: [404, 409, 422],
    },
  },
});
