import { Fault } from '@fleet/contracts';

const refused = (): Fault =>
  new Fault('list.bad_cursor', 'caller', 'this is no cursor of a list', {
    problems: [{ field: 'cursor', reason: 'not the cursor of a page', allowed: 'the nextCursor of the page before' }],
  });

/** A place in a list, as texts, in the form that clients pass on. */
export const cursorOf = (place: readonly string[]): string => Buffer.from(JSON.stringify(place)).toString('base64url');

/**
 * @param parts how many texts a place of this list has
 * @throws Fault `list.bad_cursor` (caller)
 */
export const placeOf = (cursor: string, parts: number): readonly string[] => {
  let place: unknown;
  try {
    place = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw refused();
  }
  const isPlace = Array.isArray(place) && place.length === parts && place.every((part) => typeof part === 'string');
  if (!isPlace) throw refused();
  return place as readonly string[];
};
