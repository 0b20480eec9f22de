import { principalRoles } from '../route/actions';
import { anyObject, choice, integer, list, record, text, type Described } from '../schema/schema';
import { time } from '../schema/schema-fields';

/**
 * The outcome of a request:
 * - `done`;
 * - `denied`: the caller lacks permission or is not authenticated;
 * - `refused`: the request was invalid;
 * - `failed`: the service had an internal or infrastructure failure; a part may have been done;
 * - `unknown`: the gateway died meanwhile.
 */
const auditOutcomes = ['done', 'denied', 'refused', 'failed', 'unknown'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** The result of a change: a few members, no secrets and no advice text. */
type AuditValues = Readonly<Record<string, unknown>>;

export const auditEntrySchema = record(
  'AuditEntry',
  {
    id: text('identifier of the entry', { pattern: '^[0-9a-f]{16}$', 'x-allowed': '16 hexadecimal digits' }),
    at: time('time of the request'),
    who: text('empty: unknown'),
    action: text('action (docs/reference/permissions.md); empty: the request failed before the action was known'),
    endpoint: text('method and URL'),
    object: text('target of the action; empty: the service'),
    outcome: choice(auditOutcomes),
    request: text('request id, as in the response header X-Request-Id'),
    from: text('IP address of the client, or of the proxy in front of it'),
  },
  {
    role: choice(principalRoles, 'role of the caller; absent: unknown'),
    code: text('error code'),
    bytes: integer('size of the response to a read, if known before it is sent', { minimum: 0 }),
    files: integer('number of files in the downloaded archive', { minimum: 0 }),
    before: anyObject<AuditValues>('short form of the previous value'),
    after: anyObject<AuditValues>('short form of the new value'),
  },
  'an entry of the audit log: caller, action, target and outcome',
);
export type AuditEntry = Described<typeof auditEntrySchema>;

const auditDamageSchema = record(
  { file: text('name in the folder .phenix-fleet-audit of the work folder'), reason: text() },
  {},
  'an audit log file that was altered or is missing',
);

export const auditPageSchema = record(
  'Audit',
  { entries: list(auditEntrySchema, 'newest first'), damages: list(auditDamageSchema) },
  { nextCursor: text('pass it as ?cursor= to continue; absent on the last page') },
);
export type AuditPage = Described<typeof auditPageSchema>;
