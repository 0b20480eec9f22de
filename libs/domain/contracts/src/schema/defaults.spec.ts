import { aSession } from '@fleet/testing';
import { withDefaults } from './defaults';
import { integer, list, record, text } from './schema';
import { sessionSchema } from '../sessions/session';

const thing = record({ size: integer(undefined, { default: 3 }), name: text() });
const box = record({ things: list(thing) });

describe('withDefaults', () => {
  it('adds missing members of an older record at any depth, and keeps unknown ones', () => {
    expect(withDefaults(box, { things: [{ name: 'a', new: 1 }, { size: 4 }] })).toEqual({
      things: [{ name: 'a', size: 3, new: 1 }, { size: 4 }],
    });
  });

  it('returns the identical object if nothing is missing', () => {
    const session = aSession();
    expect(withDefaults(sessionSchema, session)).toBe(session);
  });

  it.each([undefined, null, 7, 'x', [], { things: 'none' }])('returns %j, an invalid record, unchanged', (value) => {
    expect(withDefaults(box, value)).toBe(value);
  });
});
