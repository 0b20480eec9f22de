import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The path of a small file system for the tests of a file. Only root can mount one: without root the suite fails with
 * that message.
 */
export const useSmallDisk = (mebibytes: number): string => {
  const disk = mkdtempSync(join(tmpdir(), 'fleet-small-disk-'));
  let mounted = false;
  beforeAll(() => {
    if (process.getuid?.() !== 0) throw new Error('this suite needs root, to mount a small disk');
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${String(mebibytes)}m`, 'tmpfs', disk]);
    mounted = true;
  });
  afterAll(() => {
    if (mounted) execFileSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  return disk;
};
