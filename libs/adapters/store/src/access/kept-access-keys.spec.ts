import { accessKeysContract, aKey, useStores, type Made } from '@fleet/testing';
import type { AccessKeys } from '@fleet/ports';
import { KeptAccessKeys } from './kept-access-keys';

const newStore = useStores();
const newKeys = (): AccessKeys => newStore().keys;
const made = <T>(keys: T): Promise<Made<T>> => Promise.resolve({ made: keys, close: () => Promise.resolve() });

accessKeysContract('KeptAccessKeys', () => made<AccessKeys>(new KeptAccessKeys(newKeys(), newKeys())));

describe('KeptAccessKeys', () => {
  const revocation = { revokedAt: '2026-11-22T08:00:00.000Z', revokedBy: 'admin' };

  it('restores its keys, including revocations, after the database was lost', async () => {
    const files = newKeys();
    const before = new KeptAccessKeys(newKeys(), files);
    const other = aKey({ id: 'fedcba9876543210' });
    await before.create(aKey());
    await before.create(other);
    await before.revoke(other.id, revocation);
    const emptied = newKeys();
    const after = new KeptAccessKeys(emptied, files);
    expect(await after.any()).toBe(true);
    expect(await after.find(aKey().id)).toEqual(aKey());
    expect(await after.find(other.id)).toEqual({ ...other, ...revocation });
    expect(await emptied.list()).toHaveLength(2);
  });

  it('restores a revocation from the disk that the database has lost', async () => {
    const [quick, files] = [newKeys(), newKeys()];
    await quick.create(aKey());
    await files.create(aKey(revocation));
    const keys = new KeptAccessKeys(quick, files);
    expect(await keys.list()).toEqual([aKey(revocation)]);
    expect(await keys.find(aKey().id)).toEqual(aKey(revocation));
  });

  it('creates no key that would not outlive the database', async () => {
    const quick = newKeys();
    const files = newKeys();
    jest.spyOn(files, 'create').mockRejectedValue(new Error('the disk is full'));
    await expect(new KeptAccessKeys(quick, files).create(aKey())).rejects.toThrow('full');
    expect(await quick.any()).toBe(false);
  });
});
