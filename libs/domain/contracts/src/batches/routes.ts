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
const rowPage = { limit: pageLimit('1 to 500, by default 100', 500, 100), cursor: cursorOf(number) } as const;
const sort = usual(
  choice(resultOrders, 'row (default), fit, resolution or ligand, best first; rows without one come last'),
  'row',
);

export const batchesRoutes = declareRoutes({
  batches: {
    make: {
      method: 'POST',
      path: '/v1/batches',
      permission: 'batch.submit',
      summary: 'Makes a batch: many submissions from one manifest',
      description:
        'Rows come with it, are found in a folder, or are added afterwards (/rows). They are checked as submissions are, and started as `start` says; the outcome of each is among its rows.',
      headers: {
        'Idempotency-Key': {
          description: 'repeating the same key and body continues with the same batch: no row is submitted twice',
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
        limit: pageLimit('1 to 100, by default 20', 100, 20),
        cursor: cursorOf('^\\d{15}:[0-9a-z]{26}$'),
      },
      answer: batchPageSchema,
    },
    batch: {
      method: 'GET',
      path: '/v1/batches/{id}',
      permission: 'batch.read',
      summary: 'A batch: its rows by outcome, its sessions by status',
      headers: { 'If-None-Match': { description: '304 if nothing has changed' } },
      answer: batchViewSchema,
      answerHeaders: { ETag: 'changes whenever the answer does' },
      errors: [404],
    },
    addRows: {
      method: 'POST',
      path: '/v1/batches/{id}/rows',
      permission: 'batch.submit',
      summary: 'Adds the rows of a manifest to a batch',
      description:
        'CSV with the members of a submission as columns, YAML (a list), or JSON lines; docs/batches.md. It is read as it arrives. A row that the batch has already, by its content, is not added again, so that a manifest may be sent again, as a whole or in other parts.',
      query: { complete: choice(['true', 'false'], 'true: no more rows follow') },
      rawBody: manifestTypes,
      answer: rowsAddedSchema,
      errors: [404, 409, 422],
    },
    pause: {
      method: 'POST',
      path: '/v1/batches/{id}/pause',
      permission: 'batch.change',
      summary: 'Starts no more rows of a batch until it is resumed',
      description: 'Sessions that have been started continue.',
      answer: batchViewSchema,
      errors: [404, 409],
    },
    resume: {
      method: 'POST',
      path: '/v1/batches/{id}/resume',
      permission: 'batch.change',
      summary: 'Continues with a paused batch',
      description: 'A cancelled batch stays cancelled.',
      answer: batchViewSchema,
      errors: [404, 409],
    },
    cancel: {
      method: 'POST',
      path: '/v1/batches/{id}/cancel',
      permission: 'batch.change',
      summary: 'Cancels a batch: no more rows are started, and its sessions are cancelled',
      description: 'Returns at once; its sessions are cancelled one after the other. Safe to repeat.',
      status: 202,
      answer: batchViewSchema,
      errors: [404, 409],
    },
    setPriority: {
      method: 'POST',
      path: '/v1/batches/{id}/priority',
      permission: 'batch.change',
      summary: 'Gives the rows of a batch that are not sessions yet another priority',
      description:
        'Every row that starts from now on has it, whatever the row says, also rows that are added or run again later. Rows that are sessions already keep theirs, and so may those that are being started at this moment. Refused is live where the site does not allow it. Safe to repeat.',
      body: batchPriorityRequestSchema,
      examples: [{ priority: 'backfill' }],
      answer: batchPrioritySchema,
      errors: [404, 409],
    },
    retry: {
      method: 'POST',
      path: '/v1/batches/{id}/retry',
      permission: 'batch.change',
      summary: 'Runs rows of a batch again, each as a new session',
      description: 'By default rows that are rejected, and those whose session failed. Safe to repeat.',
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
      summary: 'The rows of a batch, and the outcome of each',
      query: { state: choice(rowStates, 'only rows with this state'), ...rowPage },
      answer: batchRowPageSchema,
      errors: [404],
    },
    results: {
      method: 'GET',
      path: '/v1/batches/{id}/results',
      permission: 'batch.read',
      summary: 'What the sessions of a batch have brought so far',
      query: { sort, ...rowPage },
      answer: batchResultPageSchema,
      errors: [404],
    },
    csv: {
      method: 'GET',
      path: '/v1/batches/{id}/results.csv',
      permission: 'batch.read',
      summary: 'The same as a table for spreadsheets (CSV)',
      description: 'Texts that a spreadsheet would take for formulas are preceded by an apostrophe.',
      query: { sort },
      media: 'text/csv',
      errors: [404],
    },
  },
});
