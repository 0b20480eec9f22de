import { aSession } from '@fleet/testing';
import { withDefaults } from './defaults';
import { integer, list, record, text } from './schema';
import { sessionSchema } from '../sessions/session';

const thing = record({ size: integer(undefined, { default: 3 }), name: text() });
const box = record({ things: list(thing) });

describe('withDefaults', () => {
  it('fills in what an older record lacks, at whatever depth, and keeps what it does not know', () => {
    expect(withDefaults(box, { things: [{ name: 'a', new: 1 }, { size: 4 }] })).toEqual({
      things: [{ name: 'a', size: 3, new: 1 }, { size: 4 }],
    });
  });

  it('gives back the very record that lacks nothing', () => {
    const session = aSession();
    expect(withDefaults(sessionSchema, session)).toBe(session);
  });

  it.each([undefined, null, 7, 'x', [], { things: 'none' }])(
    'leaves %j, which is no such record, as it is',
    (value) => {
      expect(withDefaults(box, value)).toBe(value);
    },
  );
});
