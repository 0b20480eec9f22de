import type { Upload } from '@fleet/contracts/uploads';
import { systemClock } from '@fleet/ports';
import { anUpload, eventually, ManualClock } from '@fleet/testing';
import type { StoreContext } from '../database';
import { useDatabases } from '../fixtures/databases';
import { PostgresUploadStore } from './postgres-upload-store';

const databases = useDatabases();
let context: StoreContext;
beforeEach(async () => {
  context = await databases.context(systemClock);
});

const long = 60_000;
const plenty = 1e12;

describe('stored uploads', () => {
  let store: PostgresUploadStore;
  beforeEach(() => {
    store = new PostgresUploadStore(context);
  });

  it('stay as added, until they expire', async () => {
    const [kept, ended] = [anUpload({ expected: 'a'.repeat(64) }), anUpload()];
    expect(await store.add(kept, long, plenty)).toBeUndefined();
    await store.add(ended, 1, plenty);
    expect(await store.find(kept.id)).toEqual(kept);
    await eventually('its end', async () => (await store.find(ended.id)) === undefined);
    expect(await store.find(anUpload().id)).toBeUndefined();
  });

  it('accept one of many concurrent changes, based on their current version', async () => {
    const upload = anUpload();
    await store.add(upload, long, plenty);
    const changes = await Promise.all([10, 20, 30].map((offset) => store.change(upload, { offset }, long)));
    const done = changes.filter((change) => change !== undefined);
    expect(done).toHaveLength(1);
    expect(await store.find(upload.id)).toEqual(done[0]);
    expect(done[0]).toMatchObject({ version: 1, name: upload.name });
    expect([await store.remove(upload), await store.remove(done[0] ?? upload)]).toEqual([false, true]);
    expect(await store.find(upload.id)).toBeUndefined();
    expect(await store.change(done[0] ?? upload, { offset: 1 }, long)).toBeUndefined();
  });

  it('respect a daily limit in bytes per proposal, without bytes that never arrived', async () => {
    const { proposal } = anUpload();
    const of = (size: number): Upload => anUpload({ proposal, size });
    const first = of(60);
    expect(await store.add(first, long, 100)).toBeUndefined();
    expect(await store.add(of(41), long, 100)).toBe(40);
    expect(await store.add(anUpload({ size: 100 }), long, 100)).toBeUndefined();
    const partly = (await store.change(first, { offset: 10 }, long)) ?? first;
    await store.remove(partly);
    expect(await store.add(of(91), long, 100)).toBe(90);
    expect(await store.add(of(90), long, 100)).toBeUndefined();
  });

  it('count in full if they were rejected', async () => {
    const upload = anUpload({ size: 60 });
    await store.add(upload, long, 100);
    const refused = await store.change(upload, { state: 'refused', problem: 'its content' }, long);
    expect(await store.remove(refused ?? upload)).toBe(true);
    expect(await store.add(anUpload({ proposal: upload.proposal, size: 41 }), long, 100)).toBe(40);
  });

  it('have one writer at a time', async () => {
    const { id } = anUpload();
    const writers = ['a', 'b', 'c'];
    const held = await Promise.all(writers.map((writer) => store.hold(id, writer, long)));
    const [winner = ''] = writers.filter((_, index) => held[index]);
    expect(held.filter((won) => won)).toHaveLength(1);
    expect(await store.hold(id, winner, long)).toBe(true);
    await store.release(id, 'somebody');
    expect(await store.hold(id, 'd', long)).toBe(false);
    await store.release(id, winner);
    expect(await store.hold(id, 'd', 1)).toBe(true);
    await eventually('the writer', () => store.hold(id, 'e', long));
  });
});

describe('PostgresUploadStore', () => {
  it.each([
    ['a file elsewhere', { file: '../../etc/passwd' }],
    ['a file of another', { file: `${'0'.repeat(32)}.0123abcd.data.mtz` }],
    ['a name that is a path', { name: '../data.mtz' }],
    ['a proposal that is a path', { proposal: '..' }],
    ['another id', { id: '0'.repeat(32) }],
  ])('rejects a record with %s', async (_, forged) => {
    const store = new PostgresUploadStore(context);
    const upload = anUpload();
    await store.add(upload, 60_000, 1e12);
    await context.db
      .updateTable('uploads')
      .set({ upload: JSON.stringify({ ...upload, ...forged }) })
      .execute();
    expect(await store.find(upload.id)).toBeUndefined();
  });

  it('exceeds no daily limit, however many are added at the same time', async () => {
    const store = new PostgresUploadStore(context);
    const { proposal } = anUpload();
    const added = await Promise.all(
      Array.from({ length: 8 }, () => store.add(anUpload({ proposal, size: 30 }), 60_000, 100)),
    );
    expect(added.filter((left) => left === undefined)).toHaveLength(3);
    expect(await store.add(anUpload({ proposal, size: 101 }), 60_000, 100)).toBe(10);
  });

  it('begins the day of a proposal with its first upload, and deletes what has ended', async () => {
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
