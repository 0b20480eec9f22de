import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';
import { aSession, useFolder } from '@fleet/testing';
import { bytesOfFolder, removeFolder } from './removed-folder';

describe('the folder of a deleted session', () => {
  const root = useFolder();
  const work = join(root, 'work');
  const session = aSession();
  const { id } = session;
  beforeEach(() => {
    mkdirSync(join(work, 'mx1', id, 'cycle-1'), { recursive: true });
    writeFileSync(join(work, 'mx1', id, 'session.json'), '{}');
    writeFileSync(join(work, 'mx1', id, 'cycle-1', 'a.log'), '12345');
  });
  const inWork = (folder = join(work, 'mx1', id)) => ({ ...session, folder });

  it('is removed with its content, and its bytes are counted; a second time there is nothing', async () => {
    await expect(bytesOfFolder(work, inWork())).resolves.toBe(7);
    await expect(removeFolder(work, inWork())).resolves.toBe(7);
    expect(existsSync(join(work, 'mx1', id))).toBe(false);
    expect(existsSync(join(work, 'mx1'))).toBe(true);
    await expect(removeFolder(work, inWork())).resolves.toBe(0);
  });

  it('is removed without the targets of its links, and files with a second name are not counted', async () => {
    const other = join(root, 'precious');
    mkdirSync(other);
    writeFileSync(join(other, 'data.mtz'), 'precious');
    symlinkSync(other, join(work, 'mx1', id, 'cycle-1', 'link'));
    linkSync(join(work, 'mx1', id, 'cycle-1', 'a.log'), join(other, 'fork.log'));
    const bytes = await removeFolder(work, inWork());
    expect(bytes).toBe(2 + other.length);
    expect(readFileSync(join(other, 'data.mtz'), 'utf8')).toBe('precious');
    expect(readFileSync(join(other, 'fork.log'), 'utf8')).toBe('12345');
  });

  it('is removed although something still writes into it', async () => {
    const folder = join(work, 'mx1', id);
    for (let n = 0; n < 300; n += 1) writeFileSync(join(folder, 'cycle-1', `${String(n)}.log`), '');
    const removed = removeFolder(work, inWork());
    while (existsSync(join(folder, 'session.json'))) await immediate();
    writeFileSync(join(folder, 'late.log'), '123');
    expect(await removed).toBe(10);
    expect(existsSync(folder)).toBe(false);
  });

  it("is not reached through a link, nor outside the session's location", async () => {
    const other = join(root, 'other');
    mkdirSync(join(other, id), { recursive: true });
    rmSync(join(work, 'mx1'), { recursive: true });
    symlinkSync(other, join(work, 'mx1'));
    await expect(removeFolder(work, inWork())).rejects.toThrow(/is a link/);
    await expect(removeFolder(work, inWork(join(other, id)))).rejects.toMatchObject({ code: 'file.outside_root' });
    expect(existsSync(join(other, id))).toBe(true);
  });
});
