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
export const auditOutcomes = ['done', 'denied', 'refused', 'failed', 'unknown'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** The result of a change: a few members, no secrets and no advice text. */
type AuditValues = Readonly<Record<string, unknown>>;

export const auditEntrySchema = record(
  'AuditEntry',
  {
    id: text('tells entries apart', { pattern: '^[0-9a-f]{16}$', 'x-allowed': '16 hexadecimal digits' }),
    at: time('when it was asked for'),
    who: text('empty: nobody knows'),
    action: text('what was asked for (docs/reference/permissions.md); empty: it did not get so far'),
    endpoint: text('method and URL'),
    object: text('what it was done to; empty: the service'),
    outcome: choice(auditOutcomes),
    request: text('id of the request, as the answer has it in X-Request-Id'),
    from: text('IP address of the client, or of the proxy before it'),
  },
  {
    role: choice(principalRoles, 'of whoever asked; absent: nobody knows'),
    code: text('of the error'),
    bytes: integer('of the answer to a read, where they are known before they are sent', { minimum: 0 }),
    files: integer('in an archive that was read', { minimum: 0 }),
    before: anyObject<AuditValues>('what was there, in short'),
    after: anyObject<AuditValues>('what is there now, in short'),
  },
  'one line of the audit log: who did what, to what, and its outcome',
);
export type AuditEntry = Described<typeof auditEntrySchema>;

const auditDamageSchema = record(
  { file: text('in the folder .phenix-fleet-audit of the work folder'), reason: text() },
  {},
  'a file of the audit log that is not as it was written',
);

export const auditPageSchema = record(
  'Audit',
  { entries: list(auditEntrySchema, 'the newest first'), damages: list(auditDamageSchema) },
  { nextCursor: text('pass it as ?cursor= to continue; absent on the last page') },
);
export type AuditPage = Described<typeof auditPageSchema>;
