import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { useFolder } from '@fleet/testing';
import { openPinned, openRegular, openRegularSync, openUnder, pinOf, readWhole, readWholeSync } from './index';

const folder = useFolder();

const file = (name: string, content = 'content'): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const link = (name: string, target: string): string => {
  symlinkSync(target, join(folder, name));
  return join(folder, name);
};
const pipe = (name: string): string => {
  execFileSync('mkfifo', [join(folder, name)]);
  return join(folder, name);
};

const codeOf = (action: () => unknown): string | undefined => {
  try {
    action();
    return undefined;
  } catch (error) {
    return errnoOf(error);
  }
};

describe('opening an untrusted file', () => {
  it.each([
    ['a link to a file', () => link('link', file('target')), 'file.is_link'],
    ['a link to a device', () => link('zero', '/dev/zero'), 'file.is_link'],
    ['a pipe without a writer', () => pipe('pipe'), 'file.not_regular'],
    ['a folder', () => folder, 'file.not_regular'],
    ['a device', () => '/dev/null', 'file.not_regular'],
  ])('rejects %s at once', async (_, make, code) => {
    const path = make();
    await expect(openRegular(path)).rejects.toMatchObject({ name: 'Fault', code });
    expect(codeOf(() => openRegularSync(path))).toBe(code);
  });

  it("passes on the system's error for a missing file", async () => {
    await expect(openRegular(join(folder, 'nothing'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(codeOf(() => readWholeSync(join(folder, 'nothing'), 10))).toBe('ENOENT');
  });

  it('reads a small file, and rejects one above the size limit', async () => {
    const path = file('small', 'äbc');
    await expect(readWhole(path, 4)).resolves.toBe('äbc');
    expect(readWholeSync(path, 4)).toBe('äbc');
    await expect(readWhole(path, 3)).rejects.toMatchObject({ code: 'file.too_large' });
    expect(() => readWholeSync(path, 3)).toThrow(/holds 4 bytes; at most 3/);
  });
});

describe('opening a file below a root', () => {
  it('reads a file at any depth', async () => {
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    const handle = await openUnder(folder, file('a/b/data.mtz'));
    expect(await handle.readFile('utf8')).toBe('content');
    await handle.close();
  });

  it('follows no link, at any level', async () => {
    mkdirSync(join(folder, 'root/real'), { recursive: true });
    file('root/real/data.mtz');
    file('secret');
    const root = join(folder, 'root');
    link('root/folder', join(root, 'real'));
    link('root/data.mtz', join(folder, 'secret'));
    await expect(openUnder(root, join(root, 'folder/data.mtz'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(openUnder(root, join(root, 'data.mtz'))).rejects.toMatchObject({ code: 'file.is_link' });
  });

  it('does not follow a folder that was replaced by a link after it was accepted', async () => {
    mkdirSync(join(folder, 'root/visit'), { recursive: true });
    mkdirSync(join(folder, 'outside'));
    const accepted = file('root/visit/data.mtz');
    file('outside/data.mtz', 'secret');
    renameSync(join(folder, 'root/visit'), join(folder, 'root/before'));
    link('root/visit', join(folder, 'outside'));
    await expect(openUnder(join(folder, 'root'), accepted)).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it.each(['../secret', '..', '.', '/etc/hostname'])('rejects %s, which is not below it', async (path) => {
    file('secret');
    mkdirSync(join(folder, 'root'));
    const root = join(folder, 'root');
    const target = path.startsWith('/') ? path : join(root, path);
    await expect(openUnder(root, target)).rejects.toMatchObject({ code: 'file.outside_root' });
  });

  it('rejects anything but a regular file', async () => {
    pipe('pipe');
    await expect(openUnder(folder, join(folder, 'pipe'))).rejects.toMatchObject({ code: 'file.not_regular' });
  });
});

describe('opening an accepted file', () => {
  const pinned = async (path: string) => {
    const opened = await openUnder(folder, path);
    const pin = await pinOf(opened);
    await opened.close();
    return pin;
  };
  const tried = async (path: string, pin: Awaited<ReturnType<typeof pinned>>): Promise<string> => {
    const opened = await openPinned(folder, path, pin);
    if (typeof opened === 'string') return opened;
    const content = await opened.readFile('utf8');
    await opened.close();
    return content;
  };

  it('returns it, also if the same content was copied again', async () => {
    const path = file('data', 'content');
    const pin = await pinned(path);
    await expect(tried(path, pin)).resolves.toBe('content');
    renameSync(path, `${path}.before`);
    file('data', 'content');
    await expect(tried(path, pin)).resolves.toBe('content');
    const unhashed = { inode: pin.inode, size: pin.size, modified: pin.modified };
    await expect(tried(path, unhashed)).resolves.toMatch(/replaced by another file|written to/);
  });

  it.each([
    ['another content', () => void file('data', 'CONTENT'), 'its content has changed, at the same length'],
    ['another length', () => void file('data', 'more content'), 'it had 7 bytes and now has 12'],
    ['nothing', () => undefined, 'it no longer exists'],
    ['a link', () => void link('data', file('target', 'content')), 'replaced by a symbolic link'],
    ['a pipe', () => void pipe('data'), 'no longer a regular file'],
  ])('describes how %s in its place differs', async (_, replace, why) => {
    const path = file('data', 'content');
    const pin = await pinned(path);
    rmSync(path);
    replace();
    await expect(tried(path, pin)).resolves.toContain(why);
  });

  it('rejects a path outside, as a fault', async () => {
    const pin = await pinned(file('data'));
    await expect(openPinned(folder, '/etc/hostname', pin)).rejects.toMatchObject({ code: 'file.outside_root' });
  });
});
