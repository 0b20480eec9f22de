import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceThreadArguments } from '@fleet/testing';
import { withFile } from './file-source';
import { ContentFileInspector, ownScript, PooledFileInspector } from './index';

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
  const inspector = new ContentFileInspector();
  expect((await inspector.inspect(path, { cycle: 0 }, folder)).pin).toMatchObject(pinned);
  expect(await inspector.inspect(path, { cycle: 0 })).not.toHaveProperty('pin');
});

it('does so in a thread as well', async () => {
  const limits = { threads: 1, timeoutMs: 60_000, memoryMib: 64, maxWaiting: 10 };
  const pool = new PooledFileInspector(limits, { ...ownScript, execArgv: sourceThreadArguments });
  expect((await pool.inspect(path, { cycle: 0 }, folder)).pin).toMatchObject(pinned);
  await pool.onApplicationShutdown();
}, 60_000);

it('follows no link on the way', async () => {
  mkdirSync(join(folder, 'root'));
  symlinkSync(folder, join(folder, 'root', 'visit'));
  const inspection = new ContentFileInspector().inspect(
    join(folder, 'root', 'visit', 's.fa'),
    { cycle: 0 },
    join(folder, 'root'),
  );
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
