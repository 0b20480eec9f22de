import type { ApiKey } from '@fleet/contracts/access';
import type { AccessKeys } from '@fleet/ports';
import type { Made } from './runs.contract';

export const aKey = (changes: Partial<ApiKey> = {}): ApiKey => ({
  id: '0123456789abcdef',
  owner: 'ada',
  label: 'a laptop',
  role: 'user',
  proposals: ['mx1'],
  beamlines: [],
  scopes: ['read'],
  createdAt: '2026-11-21T08:00:00.000Z',
  createdBy: 'admin',
  expiresAt: '2027-11-21T08:00:00.000Z',
  hash: 'ab'.repeat(32),
  ...changes,
});

/** The behavior of every AccessKeys. */
export const accessKeysContract = (name: string, make: () => Promise<Made<AccessKeys>>): void => {
  describe(`${name} as AccessKeys`, () => {
    let keys: AccessKeys;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ made: keys, close } = await make());
    });
    afterEach(() => close());
    const other = aKey({ id: 'fedcba9876543210', owner: 'bob', createdAt: '2026-11-20T08:00:00.000Z' });
    const revocation = { revokedAt: '2026-11-22T08:00:00.000Z', revokedBy: 'admin' };

    it('has no key until one is created, and stores it unchanged', async () => {
      expect([await keys.any(), await keys.list(), await keys.find(aKey().id)]).toEqual([false, [], undefined]);
      await keys.create(aKey());
      await keys.create(other);
      expect(await keys.any()).toBe(true);
      expect(await keys.find(aKey().id)).toEqual(aKey());
      expect(await keys.list()).toEqual([other, aKey()]);
    });

    it('creates a key once', async () => {
      await keys.create(aKey());
      await expect(keys.create(aKey({ owner: 'eve' }))).rejects.toMatchObject({ code: 'key.exists' });
      expect((await keys.find(aKey().id))?.owner).toBe('ada');
    });

    it('revokes for good, and the first revocation counts', async () => {
      await keys.create(aKey());
      expect(await keys.revoke(aKey().id, revocation)).toEqual({ ...aKey(), ...revocation });
      await keys.revoke(aKey().id, { revokedAt: '2026-11-23T08:00:00.000Z', revokedBy: 'eve' });
      expect(await keys.find(aKey().id)).toEqual({ ...aKey(), ...revocation });
      expect(await keys.list()).toEqual([{ ...aKey(), ...revocation }]);
      expect(await keys.any()).toBe(true);
    });

    it('keeps a key unchanged that is created again as revoked', async () => {
      await keys.create(aKey(revocation));
      expect(await keys.find(aKey().id)).toEqual(aKey(revocation));
    });

    it('cannot revoke a missing key', async () => {
      expect(await keys.revoke(aKey().id, revocation)).toBeUndefined();
      expect(await keys.any()).toBe(false);
    });

    it('stores one of two keys that are created at once', async () => {
      const made = await Promise.allSettled(['ada', 'bob'].map((owner) => keys.create(aKey({ owner }))));
      expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await keys.list()).toHaveLength(1);
    });
  });
};
