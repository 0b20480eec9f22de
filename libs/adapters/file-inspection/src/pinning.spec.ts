import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@fleet/testing';
import { withFile } from './file-source';
import { GemmiFileInspector } from './index';

const inspector = new GemmiFileInspector();
afterAll(() => inspector.onApplicationShutdown());

const text = '>A\nMKT\n';
const folder = useFolder();
const path = join(folder, 's.fa');
beforeEach(() => writeFileSync(path, text));

const pinned = { size: text.length, sha256: createHash('sha256').update(text).digest('hex') };

it('records what identifies a file, if it must be below a folder', async () => {
  expect((await inspector.inspect(path, { cycle: 0 }, folder)).pin).toMatchObject(pinned);
  expect(await inspector.inspect(path, { cycle: 0 })).not.toHaveProperty('pin');
});

it('follows no link on the path', async () => {
  mkdirSync(join(folder, 'root'));
  symlinkSync(folder, join(folder, 'root', 'visit'));
  const inspection = inspector.inspect(join(folder, 'root', 'visit', 's.fa'), { cycle: 0 }, join(folder, 'root'));
  await expect(inspection).rejects.toMatchObject({ code: 'file.missing' });
});

it('rejects a file that is written to meanwhile', async () => {
  const look = withFile(
    path,
    (source) => {
      appendFileSync(path, 'more');
      return source.pin();
    },
    folder,
  );
  await expect(look).rejects.toMatchObject({
    code: 'file.unreadable',
    message: expect.stringContaining('it was modified') as string,
  });
});
