import fc from 'fast-check';
import { sessionIdPattern } from '@fleet/contracts/sessions';
import { newSessionId, sessionIdOfKey } from './session-id';

describe('session ids', () => {
  it('sort by their creation time', () => {
    const times = [1, 1000, 1_700_000_000_000, 1_800_000_000_000];
    const ids = times.map(newSessionId);
    expect(ids.toSorted()).toEqual(ids);
    for (const id of ids) expect(id).toMatch(sessionIdPattern);
  });

  it('are deterministic for an idempotency key, and different for different keys', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(sessionIdOfKey(one, '')).toMatch(sessionIdPattern);
        expect(sessionIdOfKey(one, '') === sessionIdOfKey(other, '')).toBe(one === other);
      }),
    );
  });
});
