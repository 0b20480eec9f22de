import { auditedActions } from '../route/actions';
import { auditPageSchema } from './audit';
import { cursorOf, lineOf, pageLimit } from '../route/query';
import { declareRoutes } from '../route/route';
import { choice } from '../schema/schema';
import { time } from '../schema/schema-fields';

const description =
  'For administrators. Contains changes, denials, downloads and other reads (docs/access.md); the lines are signed and chained, and the response reports missing or altered ones.';
const filters = {
  who: lineOf('only entries of this caller'),
  action: choice(auditedActions, 'only entries of this action'),
  object: lineOf('only entries with this target, or with a target id that starts with this text'),
  since: time('only entries at or after this time (ISO 8601)'),
  until: time('only entries before this time (ISO 8601)'),
} as const;

export const auditRoutes = declareRoutes({
  audit: {
    list: {
      method: 'GET',
      path: '/v1/admin/audit',
      permission: 'audit.read',
      summary: 'Audit log, newest first',
      description,
      query: {
        ...filters,
        limit: pageLimit('page size: 1 to 1000, default 100', 1000, 100),
        cursor: cursorOf('^\\d{15}:[0-9a-f]{16}$'),
      },
      answer: auditPageSchema,
      errors: [404],
    },
    lines: {
      method: 'GET',
      path: '/v1/admin/audit.jsonl',
      permission: 'audit.read',
      summary: 'Audit log as JSON lines, oldest first',
      description,
      query: filters,
      media: 'application/x-ndjson',
      errors: [404],
    },
    csv: {
      method: 'GET',
      path: '/v1/admin/audit.csv',
      permission: 'audit.read',
      summary: 'Audit log as CSV, oldest first',
      description: `${description} Texts that a spreadsheet would read as formulas start with an apostrophe.`,
      query: filters,
      media: 'text/csv',
      errors: [404],
    },
  },
});
