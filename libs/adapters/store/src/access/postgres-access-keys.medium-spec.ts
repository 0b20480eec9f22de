import { accessKeysContract, aKey } from '@fleet/testing';
import { madeOn, useDatabases } from '../fixtures/databases';
import { PostgresAccessKeys } from './postgres-access-keys';

const databases = useDatabases();

accessKeysContract('PostgresAccessKeys', madeOn(databases, PostgresAccessKeys));

describe('PostgresAccessKeys', () => {
  it('rejects a key with a damaged record', async () => {
    const context = await databases.context();
    const keys = new PostgresAccessKeys(context);
    await keys.create(aKey());
    const key = JSON.stringify({ ...aKey(), role: 'root' });
    await context.db.updateTable('access_keys').set({ key }).execute();
    await expect(keys.find(aKey().id)).rejects.toMatchObject({ code: 'key.damaged' });
  });

  it('stores when a key was used', async () => {
    const keys = new PostgresAccessKeys(await databases.context());
    await keys.create(aKey());
    expect(await keys.lastUses()).toEqual({});
    await keys.used(aKey().id, '2026-11-22T08:00:00.000Z');
    expect(await keys.lastUses()).toEqual({ [aKey().id]: '2026-11-22T08:00:00.000Z' });
  });
});
