import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withFile } from './file-source';
import { GemmiFileInspector } from './index';

const inspector = new GemmiFileInspector();
afterAll(() => inspector.onApplicationShutdown());

const text = '>A\nMKT\n';
let folder: string;
let path: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pinning-')));
  path = join(folder, 's.fa');
  writeFileSync(path, text);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const pinned = { size: text.length, sha256: createHash('sha256').update(text).digest('hex') };

it('writes down by what a file is known again, where it has to lie below a folder', async () => {
  expect((await inspector.inspect(path, { cycle: 0 }, folder)).pin).toMatchObject(pinned);
  expect(await inspector.inspect(path, { cycle: 0 })).not.toHaveProperty('pin');
});

it('follows no link on the way', async () => {
  mkdirSync(join(folder, 'root'));
  symlinkSync(folder, join(folder, 'root', 'visit'));
  const inspection = inspector.inspect(join(folder, 'root', 'visit', 's.fa'), { cycle: 0 }, join(folder, 'root'));
  await expect(inspection).rejects.toMatchObject({ code: 'file.missing' });
});

it('refuses a file that somebody writes to meanwhile', async () => {
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
