import { Fault } from '@fleet/contracts';

const refused = (): Fault =>
  new Fault('list.bad_cursor', 'caller', 'this is no cursor of a list', {
    problems: [{ field: 'cursor', reason: 'not the cursor of a page', allowed: 'the nextCursor of the page before' }],
  });

/** Reads a `timeCursor`. @throws Fault `list.bad_cursor` (caller) */
export const readTimeCursor = (cursor: string): readonly [at: string, id: string] => {
  const [, ms, id] = /^(\d{15}):(.+)$/.exec(cursor) ?? [];
  const at = new Date(Number(ms));
  if (id === undefined || Number.isNaN(at.getTime())) throw refused();
  return [at.toISOString(), id];
};

/** A place in a list by title, which may be any text. */
export const titleCursor = (place: readonly [rank: string, title: string, id: string]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url');

/** @throws Fault `list.bad_cursor` (caller) */
export const readTitleCursor = (cursor: string): readonly string[] => {
  let place: unknown;
  try {
    place = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw refused();
  }
  const isPlace = Array.isArray(place) && place.length === 3 && place.every((part) => typeof part === 'string');
  if (!isPlace) throw refused();
  return place as readonly string[];
};
