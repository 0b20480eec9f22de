import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Upload } from '@fleet/contracts';
import type { UploadStore } from '@fleet/ports';

const long = 60_000;
const plenty = 1e12;

const until = async (look: () => Promise<boolean>): Promise<void> => {
  while (!(await look())) await pause(5);
};

/** An upload of which nothing has come. */
export const anUpload = (more: Partial<Upload> = {}): Upload => ({
  id: randomBytes(16).toString('hex'),
  proposal: `mx${randomBytes(4).toString('hex')}`,
  name: 'data.mtz',
  size: 100,
  offset: 0,
  state: 'receiving',
  expiresAt: '2026-11-25T00:00:00.000Z',
  version: 0,
  by: 'ada',
  file: '',
  writing: false,
  ...more,
});

/** What every implementation of UploadStore does. */
export const uploadStoreContract = (name: string, make: () => UploadStore): void => {
  describe(`${name} keeps uploads`, () => {
    let store: UploadStore;
    beforeEach(() => {
      store = make();
    });

    it('as they were added, for their time', async () => {
      const [kept, ended] = [anUpload({ expected: 'a'.repeat(64) }), anUpload()];
      expect(await store.add(kept, long, plenty)).toBeUndefined();
      await store.add(ended, 1, plenty);
      expect(await store.find(kept.id)).toEqual(kept);
      await until(async () => (await store.find(ended.id)) === undefined);
      expect(await store.find(anUpload().id)).toBeUndefined();
    });

    it('and lets one of many change them, who has seen them as they are', async () => {
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

    it('up to so many bytes of a proposal in a day, without those that never came', async () => {
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

    it('of which one that was refused has used up what it was to have', async () => {
      const upload = anUpload({ size: 60 });
      await store.add(upload, long, 100);
      const refused = await store.change(upload, { state: 'refused', problem: 'its content' }, long);
      expect(await store.remove(refused ?? upload)).toBe(true);
      expect(await store.add(anUpload({ proposal: upload.proposal, size: 41 }), long, 100)).toBe(40);
    });

    it('each for one writer at a time', async () => {
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
      await until(() => store.hold(id, 'e', long));
    });
  });
};
