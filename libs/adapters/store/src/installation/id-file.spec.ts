import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IdFile } from './id-file';

it.each<[string, (path: string) => void]>([
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['something else', (path) => writeFileSync(path, 'x'.repeat(100_000))],
])('rejects %s instead of the id file without hanging, and says what to do', async (_, make) => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-id-'));
  const file = new IdFile(folder);
  await expect(file.read()).resolves.toBeUndefined();
  make(file.path);
  await expect(file.read()).rejects.toMatchObject({
    code: 'store.other_installation',
    message: expect.stringContaining('does not hold the id of an installation: it was changed. Remove it') as string,
  });
  rmSync(folder, { recursive: true });
});
