import { Fault } from '@fleet/contracts/faults';

const refused = (): Fault =>
  new Fault('list.bad_cursor', 'caller', 'this is not a cursor of a list', {
    problems: [{ field: 'cursor', reason: 'not the cursor of a page', allowed: 'the nextCursor of the page before' }],
  });

/** Reads a `timeCursor`. @throws Fault `list.bad_cursor` (caller) */
export const readTimeCursor = (cursor: string): readonly [at: string, id: string] => {
  const [, ms, id] = /^(\d{15}):(.+)$/.exec(cursor) ?? [];
  const at = new Date(Number(ms));
  if (id === undefined || Number.isNaN(at.getTime())) throw refused();
  return [at.toISOString(), id];
};

/** The last row of a page: its value in the sort column, its creation time (ISO 8601), and its id. */
export type Position = readonly [value: string | number | null, createdAt: string, id: string];

export const positionCursor = (position: Position): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

const isPosition = (position: unknown): position is Position => {
  if (!Array.isArray(position) || position.length !== 3) return false;
  const [value, createdAt, id] = position as readonly unknown[];
  return (
    (value === null || typeof value === 'string' || typeof value === 'number') &&
    typeof createdAt === 'string' &&
    !Number.isNaN(Date.parse(createdAt)) &&
    typeof id === 'string' &&
    !`${String(value)}${id}`.includes('\0')
  );
};

/** @throws Fault `list.bad_cursor` (caller) */
export const readPositionCursor = (cursor: string): Position => {
  let position: unknown;
  try {
    position = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw refused();
  }
  if (!isPosition(position)) throw refused();
  return position;
};
