import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '@fleet/contracts/administration';
import { useFolder } from '@fleet/testing';
import { WorkRootCheckup, type FileSystem } from './work-root.checkup';

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

describe('the checkup of the work root', () => {
  const root = useFolder();

  const found = async (planted: Partial<FileSystem> = {}): Promise<ReadonlyMap<string, Finding>> => {
    const findings = await new WorkRootCheckup(root, { ...fs, ...planted }).check();
    return new Map(findings.map((one) => [one.check, one]));
  };

  it('accepts a usual disk, and leaves nothing behind', async () => {
    const findings = await found();
    for (const check of ['work.write', 'work.hard_links', 'work.rename', 'work.exclusive', 'work.clock'])
      expect(findings.get(check)).toEqual({ check, level: 'ok', seen: expect.any(String) as string });
    expect(findings.get('work.sync')?.seen).toMatch(/^A sync of a file takes \d+\.\d ms\.$/);
    expect(findings.has('work.space')).toBe(true);
    await expect(fs.readdir(root)).resolves.toEqual([]);
  });

  it('reports a root without write access, and tests nothing else there', async () => {
    const findings = await new WorkRootCheckup('/sys/kernel').check();
    expect(findings[0]).toMatchObject({ check: 'work.write', level: 'error' });
    expect(findings[0]?.remedy).toContain('Mount it for writing');
    expect(findings.map(({ check }) => check)).not.toContain('work.rename');
  });

  it.each([
    ['work.hard_links', { link: failing('EPERM') }, 'Not so: A file can have two names (hard links). (EPERM)'],
    ['work.rename', { rename: failing('EXDEV') }, 'Not so: A folder with files can be renamed. (EXDEV)'],
    [
      'work.exclusive',
      { writeFile: (file: string) => fs.writeFile(file, '') },
      'Not so: A file of the same name cannot be created twice. (Error: the second attempt returned made)',
    ],
  ] as unknown as readonly [string, Partial<FileSystem>, string][])(
    'reports missing support for %s',
    async (check, planted, seen) => {
      const findings = await found(planted);
      expect(findings.get(check)).toMatchObject({ level: 'error', seen, why: expect.any(String) as string });
      await expect(fs.readdir(root)).resolves.toEqual([]);
    },
  );

  it('reports a volume that is nearly full, in blocks or in inodes', async () => {
    const statfs = (): Promise<unknown> => Promise.resolve({ blocks: 100, bavail: 1, files: 100, ffree: 7 });
    const findings = await found({ statfs: statfs as unknown as FileSystem['statfs'] });
    expect(findings.get('work.space')).toMatchObject({
      level: 'error',
      seen: expect.stringContaining('99 %') as string,
    });
    expect(findings.get('work.inodes')).toMatchObject({ level: 'warning' });
  });

  it('reports all findings about a full volume, and what to do', async () => {
    const planted = { open: failing('ENOSPC'), link: failing('EDQUOT'), writeFile: failing('ENOSPC') };
    const findings = await found(planted);
    const remedy = 'Remove or archive old results, or enlarge the volume.';
    for (const check of ['work.hard_links', 'work.rename', 'work.exclusive', 'work.sync', 'work.clock'])
      expect(findings.get(check)).toMatchObject({ level: 'error', remedy });
    expect(findings.get('work.sync')?.seen).toBe('It cannot be measured: ENOSPC.');
    expect(findings.has('work.space')).toBe(true);
    const readOnly = await found({ mkdir: failing('EROFS') });
    expect(readOnly.get('work.write')?.remedy).toContain('Mount it for writing');
    const hung = await found({ statfs: failing('EIO'), rm: failing('EIO') });
    expect([hung.get('work.space')?.seen, hung.get('work.left')?.level]).toEqual([
      `How full ${root} is unknown: EIO.`,
      'warning',
    ]);
  });

  it('removes old leftovers of an earlier check', async () => {
    const [old, fresh] = ['.phenix-fleet-checkup.old', '.phenix-fleet-checkup.fresh'] as const;
    for (const name of [old, fresh]) await fs.mkdir(join(root, name));
    await fs.writeFile(join(root, old, 'lock'), '');
    const before = new Date(Date.now() - 2 * 3_600_000);
    await fs.utimes(join(root, old), before, before);
    await found();
    await expect(fs.readdir(root)).resolves.toEqual([fresh]);
  });

  it('reports a file server with another time', async () => {
    const stat = (): Promise<unknown> => Promise.resolve({ mtimeMs: Date.now() - 60_000 });
    expect((await found({ stat: stat as unknown as FileSystem['stat'] })).get('work.clock')).toMatchObject({
      level: 'warning',
      remedy: expect.stringContaining('chrony') as string,
    });
  });
});
