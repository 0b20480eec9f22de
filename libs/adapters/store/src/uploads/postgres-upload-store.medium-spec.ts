import { systemClock } from '@fleet/ports';
import { anUpload, ManualClock, uploadStoreContract } from '@fleet/testing';
import type { StoreContext } from '../database';
import { useDatabases } from '../fixtures/databases';
import { PostgresUploadStore } from './postgres-upload-store';

const databases = useDatabases();
let context: StoreContext;
beforeEach(async () => {
  context = await databases.context(systemClock);
});

uploadStoreContract('PostgresUploadStore', () => new PostgresUploadStore(context));

describe('PostgresUploadStore', () => {
  it.each([
    ['a file elsewhere', { file: '../../etc/passwd' }],
    ['a file of another', { file: `${'0'.repeat(32)}.0123abcd.data.mtz` }],
    ['a name that is a path', { name: '../data.mtz' }],
    ['a proposal that is a path', { proposal: '..' }],
    ['another id', { id: '0'.repeat(32) }],
  ])('takes no record with %s', async (_, forged) => {
    const store = new PostgresUploadStore(context);
    const upload = anUpload();
    await store.add(upload, 60_000, 1e12);
    await context.db
      .updateTable('uploads')
      .set({ upload: JSON.stringify({ ...upload, ...forged }) })
      .execute();
    expect(await store.find(upload.id)).toBeUndefined();
  });

  it('counts no more for a day than there is, however many are added at the same time', async () => {
    const store = new PostgresUploadStore(context);
    const { proposal } = anUpload();
    const added = await Promise.all(
      Array.from({ length: 8 }, () => store.add(anUpload({ proposal, size: 30 }), 60_000, 100)),
    );
    expect(added.filter((left) => left === undefined)).toHaveLength(3);
    expect(await store.add(anUpload({ proposal, size: 101 }), 60_000, 100)).toBe(10);
  });

  it('begins the day of a proposal with its first upload, and forgets what has ended', async () => {
    const clock = new ManualClock();
    const store = new PostgresUploadStore({ ...context, clock });
    const { proposal } = anUpload();
    const add = (size: number) => store.add(anUpload({ proposal, size }), 1000, 100);
    await add(100);
    clock.forward(24 * 60 * 60 * 1000 - 1);
    expect(await add(1)).toBe(0);
    clock.forward(1);
    expect(await add(1)).toBeUndefined();
    expect(await context.db.selectFrom('uploads').select('id').execute()).toHaveLength(1);
  });
});
