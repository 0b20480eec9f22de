import {
  batchPageSchema,
  batchPrioritySchema,
  batchPriorityRequestSchema,
  batchResultPageSchema,
  batchRowPageSchema,
  batchViewSchema,
  batchRequestSchema,
  manifestTypes,
  resultOrders,
  retryRequestSchema,
  rowStates,
  rowsAddedSchema,
  rowsRetriedSchema,
} from './batches';
import { cursorOf, nameOf, pageLimit } from '../route/query';
import { declareRoutes } from '../route/route';
import { choice, usual } from '../schema/schema';

const number = '^\\d{1,6}$';
const rowPage = { limit: pageLimit('page size: 1 to 500, default 100', 500, 100), cursor: cursorOf(number) } as const;
const sort = usual(
  choice(
    resultOrders,
    'sort key: row (default), fit, resolution or ligand, best first; rows without the value come last',
  ),
  'row',
);

export const batchesRoutes = declareRoutes({
  batches: {
    make: {
      method: 'POST',
      path: '/v1/batches',
      permission: 'batch.submit',
      summary: 'Creates a batch: many submissions from one manifest',
      description:
        'Rows are in the body, are found in a folder, or are added later (/rows). Each row is checked like a submission and started according to `start`. The rows of the batch show the outcome of each.',
      headers: {
        'Idempotency-Key': {
          description: 'repeating the same key and body continues the same batch; no row is submitted twice',
        },
      },
      body: batchRequestSchema,
      examples: [
        {
          title: 'fragment campaign 3',
          proposal: 'mx1234',
          defaults: { files: ['/data/mx1234/apo.pdb'] },
          rows: [{ title: 'fragment 1', files: ['/data/mx1234/x1/data.mtz'] }],
        },
      ],
      status: 201,
      answer: batchViewSchema,
      answerHeaders: { Location: 'the batch', 'Idempotency-Replayed': 'true when the key was used before' },
      errors: [409, 422],
    },
    list: {
      method: 'GET',
      path: '/v1/batches',
      permission: 'session.list',
      summary: 'Lists batches, newest first',
      query: {
        proposal: nameOf('only batches of this proposal'),
        limit: pageLimit('page size: 1 to 100, default 20', 100, 20),
        cursor: cursorOf('^\\d{15}:[0-9a-z]{26}$'),
      },
      answer: batchPageSchema,
    },
    batch: {
      method: 'GET',
      path: '/v1/batches/{id}',
      permission: 'batch.read',
      summary: 'A batch with its rows by state and its sessions by status',
      headers: { 'If-None-Match': { description: '304 if the batch has not changed' } },
      answer: batchViewSchema,
      answerHeaders: { ETag: 'changes whenever the response changes' },
      errors: [404],
    },
    addRows: {
      method: 'POST',
      path: '/v1/batches/{id}/rows',
      permission: 'batch.submit',
      summary: 'Adds the rows of a manifest to a batch',
      description:
        'CSV (the fields of a submission are the columns), YAML (a list) or JSON lines; see docs/batches.md. The gateway reads it as a stream. Rows whose content the batch already has are not added again, so a manifest can be sent again in full or in parts.',
      query: { complete: choice(['true', 'false'], 'true: the batch is complete; no more rows follow') },
      rawBody: manifestTypes,
      answer: rowsAddedSchema,
      errors: [404, 409, 422],
    },
    pause: {
      method: 'POST',
      path: '/v1/batches/{id}/pause',
      permission: 'batch.change',
      summary: 'Pauses a batch: no further rows start',
      description: 'Running sessions continue.',
      answer: batchViewSchema,
      errors: [404, 409],
    },
    resume: {
      method: 'POST',
      path: '/v1/batches/{id}/resume',
      permission: 'batch.change',
      summary: 'Resumes a paused batch',
      description: 'A cancelled batch cannot be resumed.',
      answer: batchViewSchema,
      errors: [404, 409],
    },
    cancel: {
      method: 'POST',
      path: '/v1/batches/{id}/cancel',
      permission: 'batch.change',
      summary: 'Cancels a batch: no further rows start, and its sessions are cancelled',
      description: 'Returns immediately; the sessions are cancelled one after the other. Safe to repeat.',
      status: 202,
      answer: batchViewSchema,
      errors: [404, 409],
    },
    setPriority: {
      method: 'POST',
      path: '/v1/batches/{id}/priority',
      permission: 'batch.change',
      summary: 'Changes the priority of the rows of a batch that have no session yet',
      description:
        'Every row that starts later gets this priority, whatever the row states, including rows that are added or rerun. Rows that have a session keep their priority, and so may rows that are being started. The gateway refuses `live` where the site does not allow it. Safe to repeat.',
      body: batchPriorityRequestSchema,
      examples: [{ priority: 'backfill' }],
      answer: batchPrioritySchema,
      errors: [404, 409],
    },
    retry: {
      method: 'POST',
      path: '/v1/batches/{id}/retry',
      permission: 'batch.change',
      summary: 'Reruns rows of a batch, each as a new session',
      description: 'Default: rejected rows, and rows whose session failed. Safe to repeat.',
      body: retryRequestSchema,
      bodyMayBeAbsent: true,
      examples: [{ of: ['failed'] }],
      status: 202,
      answer: rowsRetriedSchema,
      errors: [404, 409],
    },
  },
  batchResults: {
    rows: {
      method: 'GET',
      path: '/v1/batches/{id}/rows',
      permission: 'batch.read',
      summary: 'Rows of a batch, each with its outcome',
      query: { state: choice(rowStates, 'only rows in this state'), ...rowPage },
      answer: batchRowPageSchema,
      errors: [404],
    },
    results: {
      method: 'GET',
      path: '/v1/batches/{id}/results',
      permission: 'batch.read',
      summary: 'Results of the sessions of a batch so far',
      query: { sort, ...rowPage },
      answer: batchResultPageSchema,
      errors: [404],
    },
    csv: {
      method: 'GET',
      path: '/v1/batches/{id}/results.csv',
      permission: 'batch.read',
      summary: 'Results of a batch as CSV',
      description: 'Texts that a spreadsheet would read as formulas start with an apostrophe.',
      query: { sort },
      media: 'text/csv',
      errors: [404],
    },
  },
});
