import type { SessionRow } from '@fleet/contracts';
import type { SessionFilter } from '@fleet/ports';

/** Whether a row is one of those that a filter wants. */
export const matches = (row: SessionRow, filter: SessionFilter): boolean =>
  properties.every((property) => filter[property] === undefined || row[property] === filter[property]) &&
  inTime(Date.parse(row.createdAt), filter) &&
  isWithin(row, filter) &&
  (filter.text === undefined || row.title.startsWith(filter.text) || row.id.startsWith(filter.text));

const isWithin = (row: SessionRow, { within }: SessionFilter): boolean =>
  within?.some((one) => ('proposal' in one ? row.proposal === one.proposal : row.beamline === one.beamline)) ?? true;

const properties = ['status', 'outcome', 'proposal', 'beamline', 'batch', 'submitter'] as const;

const inTime = (at: number, { since = -Infinity, until = Infinity }: SessionFilter): boolean =>
  at >= since && at < until;

/** What names of sessions of this time begin with (see `listedName`). */
const timeText = (ms: number): string => String(ms).padStart(15, '0');

/**
 * A part of an index of listed names, as Redis takes it.
 * @param after the name that was read last
 */
export const timeRange = (
  { since, until }: SessionFilter,
  order: 'newest' | 'oldest',
  after: string | undefined,
): { readonly min: string; readonly max: string } => {
  const from = since === undefined ? '' : timeText(since);
  const to = until === undefined ? undefined : timeText(until);
  const [read, behind] = order === 'newest' ? [undefined, after] : [after, undefined];
  return { min: lowest(from, read), max: highest(to, behind) };
};

/** What was read last counts where it lies inside. */
const lowest = (from: string, read: string | undefined): string => {
  if (read !== undefined && read >= from) return `(${read}`;
  return from === '' ? '-' : `[${from}`;
};

const highest = (to: string | undefined, behind: string | undefined): string => {
  const last = to === undefined || (behind !== undefined && behind < to) ? behind : to;
  return last === undefined ? '+' : `(${last}`;
};

/** A part of what sessions are called by. */
export interface NamedRange {
  /** Where to read on. @param name that was read last, maybe of another range */
  readonly after: (name: string | undefined) => string;
  readonly end: string | Buffer;
  /** Whether a row belongs into this range and not into the one before. */
  readonly holds: (row: SessionRow) => boolean;
}

/** Those of a text: ids that begin so, then titles; without one all titles. */
export const namedRanges = (text: string | undefined): readonly NamedRange[] => {
  const titles = rangeOf(`t:${text ?? ''}`, ({ id }) => text === undefined || !id.startsWith(text));
  return text === undefined ? [titles] : [rangeOf(`i:${text}`, () => true), titles];
};

const rangeOf = (begin: string, holds: NamedRange['holds']): NamedRange => ({
  after: (name) => (name !== undefined && byBytes(name, begin) >= 0 ? `(${name}` : `[${begin}`),
  end: afterAll(begin),
  holds,
});

/** The order in which Redis sorts texts. */
export const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** Behind everything that begins so: the last byte is part of no text in UTF-8. */
export const afterAll = (text: string): Buffer => Buffer.concat([Buffer.from(`(${text}`), Buffer.from([0xff])]);

/** A name as a cursor: it holds a title, which may be any text. */
export const cursorOfName = (name: string): string => Buffer.from(name).toString('base64url');
export const nameOfCursor = (cursor: string): string => Buffer.from(cursor, 'base64url').toString();
