import { applyDecorators } from '@nestjs/common';
import { rowVerdicts } from '@fleet/contracts';
import { ApiBody, ApiConsumes, ApiHeader, ApiQuery } from '@nestjs/swagger';
import { resultOrders } from '@fleet/session-report';
import { manifestTypes } from '../batches/manifest-body';
import { answers } from './answers';

const query = (
  name: string,
  description: string,
  schema: Record<string, unknown> = { type: 'string' },
): MethodDecorator => ApiQuery({ name, required: false, description, schema });
const integer = { type: 'integer' };
const pages = (limit: string): readonly MethodDecorator[] => [
  query('limit', limit, integer),
  query('cursor', 'nextCursor of the previous page'),
];

export const MakeBatchDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Makes a batch: many submissions from one manifest',
      description:
        'Rows come with it, are found in a folder, or are added afterwards (/rows). They are checked as submissions are, and started as `start` says; ' +
        'the outcome of each is among its rows.',
      changes: true,
      status: 201,
      schema: 'Batch',
      headers: { Location: 'the batch', 'Idempotency-Replayed': 'true when the key was used before' },
      errors: [409, 422],
    },
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'repeating the same key and body continues with the same batch: no row is submitted twice',
    }),
    ApiBody({ schema: { $ref: '#/components/schemas/BatchWish' } }),
  );

export const BatchListDocs = (): MethodDecorator =>
  answers(
    { summary: 'Lists batches, newest first', status: 200, schema: 'BatchList' },
    query('proposal', 'only batches of this proposal'),
    ...pages('1 to 100, by default 20'),
  );

export const BatchDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'A batch: its rows by outcome, its sessions by status',
      status: 200,
      schema: 'Batch',
      headers: { ETag: 'changes whenever the answer does' },
      errors: [404],
    },
    ApiHeader({ name: 'If-None-Match', required: false, description: '304 if nothing has changed' }),
  );

export const RowsDocs = (): MethodDecorator =>
  applyDecorators(
    ApiConsumes(...Object.keys(manifestTypes)),
    answers(
      {
        summary: 'Adds the rows of a manifest to a batch',
        description:
          'CSV with the members of a submission as columns, YAML (a list), or JSON lines; docs/batches.md. It is read as it arrives. A row that ' +
          'the batch has already, by its content, is not added again, so that a manifest may be sent again, as a whole or in other parts.',
        changes: true,
        status: 200,
        schema: 'RowsAdded',
        errors: [404, 409, 422],
      },
      query('complete', 'true: no more rows follow', { type: 'string', enum: ['true', 'false'] }),
      ApiBody({ schema: { type: 'string' } }),
    ),
  );

export const BatchRowsDocs = (): MethodDecorator =>
  answers(
    { summary: 'The rows of a batch, and the outcome of each', status: 200, schema: 'BatchRowList', errors: [404] },
    query('verdict', 'only these', { type: 'string', enum: [...rowVerdicts] }),
    ...pages('1 to 500, by default 100'),
  );

const sort = (): MethodDecorator =>
  query('sort', 'row (default), fit, resolution or ligand, best first; rows without one come last', {
    type: 'string',
    enum: [...resultOrders],
  });

export const BatchResultsDocs = (): MethodDecorator =>
  answers(
    { summary: 'What the sessions of a batch have brought so far', status: 200, schema: 'BatchResults', errors: [404] },
    sort(),
    ...pages('1 to 500, by default 100'),
  );

export const BatchCsvDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'The same as a table for spreadsheets (CSV)',
      description: 'Texts that a spreadsheet would take for formulas are preceded by an apostrophe.',
      status: 200,
      media: 'text/csv',
      errors: [404],
    },
    sort(),
  );

export const BatchChangeDocs = (summary: string, description: string, status = 200): MethodDecorator =>
  answers({ summary, description, changes: true, status, schema: 'Batch', errors: [404, 409] });

export const BatchPriorityDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Gives the rows of a batch that are not sessions yet another priority',
      description:
        'Every row that starts from now on has it, whatever the row says, also rows that are added or run again later. Rows that are sessions ' +
        'already keep theirs, and so may those that are being started at this moment. Refused is live where the site does not allow it. Safe to repeat.',
      changes: true,
      status: 200,
      schema: 'BatchPriority',
      errors: [404, 409],
    },
    ApiBody({ schema: { $ref: '#/components/schemas/BatchPriorityWish' } }),
  );

export const BatchRetryDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Runs rows of a batch again, each as a new session',
      description: 'By default rows that are rejected, and those whose session failed. Safe to repeat.',
      changes: true,
      status: 202,
      schema: 'RowsRetried',
      errors: [404, 409],
    },
    ApiBody({ required: false, schema: { $ref: '#/components/schemas/RetryWish' } }),
  );
