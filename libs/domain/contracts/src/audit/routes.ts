import { auditedActions } from '../route/actions';
import { auditPageSchema } from './audit';
import { cursorOf, lineOf, pageLimit } from '../route/query';
import { declareRoutes } from '../route/route';
import { choice } from '../schema/schema';
import { time } from '../schema/schema-fields';

const description =
  'For administrators. Changes, denials, downloads and other reads (docs/access.md) are in it; the lines are signed and hang together, and what is missing or altered is said.';
const filters = {
  who: lineOf('whose key it was'),
  action: choice(auditedActions, 'what was asked for'),
  object: lineOf('what it was done to, as an entry has it, or the beginning of its id'),
  since: time('this time and later (ISO 8601)'),
  until: time('before this time (ISO 8601)'),
} as const;

export const auditRoutes = declareRoutes({
  audit: {
    list: {
      method: 'GET',
      path: '/v1/admin/audit',
      permission: 'audit.read',
      summary: 'The audit log: who did what, the newest first',
      description,
      query: {
        ...filters,
        limit: pageLimit('entries of a page: 1 to 1000, by default 100', 1000, 100),
        cursor: cursorOf('^\\d{15}:[0-9a-f]{16}$'),
      },
      answer: auditPageSchema,
      errors: [404],
    },
    lines: {
      method: 'GET',
      path: '/v1/admin/audit.jsonl',
      permission: 'audit.read',
      summary: 'The audit log as JSON lines, the oldest first',
      description,
      query: filters,
      media: 'application/x-ndjson',
      errors: [404],
    },
    csv: {
      method: 'GET',
      path: '/v1/admin/audit.csv',
      permission: 'audit.read',
      summary: 'The audit log as a table, the oldest first',
      description: `${description} Texts that a spreadsheet would take for formulas are preceded by an apostrophe.`,
      query: filters,
      media: 'text/csv',
      errors: [404],
    },
  },
});
