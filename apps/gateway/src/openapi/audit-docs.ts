import { ApiQuery } from '@nestjs/swagger';
import { auditedActions } from '../audit/read-audit-query';
import { answers } from './answers';

const text = (name: string, description: string): MethodDecorator =>
  ApiQuery({ name, required: false, description, schema: { type: 'string' } });

const filters = (): readonly MethodDecorator[] => [
  text('who', 'whose key it was'),
  ApiQuery({ name: 'action', required: false, description: 'what was asked for', enum: auditedActions }),
  text('object', 'what it was done to, as an entry has it, or the beginning of its id'),
  text('since', 'ISO 8601; this time and later'),
  text('until', 'ISO 8601; before this time'),
];

const description =
  'For administrators. Changes, denials, downloads and other reads (docs/access.md) are in it; the lines are signed and hang together, and what is missing or altered is said.';

export const AuditDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'The audit log: who did what, the newest first',
      description,
      status: 200,
      schema: 'Audit',
      errors: [404],
    },
    ...filters(),
    ApiQuery({
      name: 'limit',
      required: false,
      description: 'entries of a page: 1 to 1000, by default 100',
      schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    }),
    text('cursor', 'nextCursor of an earlier answer'),
  );

export const AuditLinesDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'The audit log as JSON lines, the oldest first',
      description,
      status: 200,
      media: 'application/x-ndjson',
      errors: [404],
    },
    ...filters(),
  );

export const AuditCsvDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'The audit log as a table, the oldest first',
      description: `${description} Texts that a spreadsheet would take for formulas are preceded by an apostrophe.`,
      status: 200,
      media: 'text/csv',
      errors: [404],
    },
    ...filters(),
  );
