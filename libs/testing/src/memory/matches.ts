import type { SessionRow } from '@fleet/contracts';
import type { SessionFilter } from '@fleet/ports';

const inPostgresOnly = ['failure', 'ligand', 'spaceGroup', 'cells', 'resolution', 'rFree', 'mapCc', 'program'] as const;

/** @throws TypeError where a filter has a part that only PostgreSQL knows */
const isForPostgres = (filter: SessionFilter): boolean => {
  const part = inPostgresOnly.find((one) => filter[one] !== undefined);
  if (part === undefined) return false;
  throw new TypeError(`sessions in memory are not searched by ${part}`);
};

/** Whether a row is one of those that a filter wants. */
export const matches = (row: SessionRow, filter: SessionFilter): boolean =>
  !isForPostgres(filter) &&
  properties.every((property) => filter[property] === undefined || row[property] === filter[property]) &&
  inTime(Date.parse(row.createdAt), filter) &&
  isWithin(row, filter) &&
  (filter.text === undefined ||
    [row.title, row.sample ?? '', row.id].join('\n').toLowerCase().includes(filter.text.toLowerCase()));

const isWithin = (row: SessionRow, { within }: SessionFilter): boolean =>
  within?.some((one) => ('proposal' in one ? row.proposal === one.proposal : row.beamline === one.beamline)) ?? true;

const properties = ['status', 'outcome', 'proposal', 'beamline', 'batch', 'submitter'] as const;

const inTime = (at: number, { since = -Infinity, until = Infinity }: SessionFilter): boolean =>
  at >= since && at < until;

/** The order of texts by their bytes. */
export const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));
