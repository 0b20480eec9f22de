import type { AuditEntry } from '@fleet/contracts/audit';
import { csvLine, type Cell } from './csv-line';

const inShort = (values: object | undefined): string | undefined =>
  values === undefined ? undefined : JSON.stringify(values);

/** The columns of the audit log as a table. */
const columns: Readonly<Record<string, (entry: AuditEntry) => Cell>> = {
  at: ({ at }) => at,
  who: ({ who }) => who,
  role: ({ role }) => role,
  action: ({ action }) => action,
  object: ({ object }) => object,
  outcome: ({ outcome }) => outcome,
  code: ({ code }) => code,
  before: ({ before }) => inShort(before),
  after: ({ after }) => inShort(after),
  bytes: ({ bytes }) => bytes,
  files: ({ files }) => files,
  endpoint: ({ endpoint }) => endpoint,
  from: ({ from }) => from,
  request: ({ request }) => request,
  id: ({ id }) => id,
};

/** The first line of the table. */
export const auditCsvHeader = (): string => csvLine(Object.keys(columns));

/** A line of the table. */
export const auditCsvLine = (entry: AuditEntry): string =>
  csvLine(Object.values(columns).map((cellOf) => cellOf(entry)));
