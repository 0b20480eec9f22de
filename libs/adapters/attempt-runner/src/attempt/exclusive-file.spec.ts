import fs from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@fleet/testing';
import { hasHardLinks, readJson, writeOnce } from './exclusive-file';

const { linkSync: realLink, fsyncSync: realSync } = fs;

const failing = (code: string): Error => Object.assign(new Error(code), { code });

describe('files with one writer', () => {
  const folder = useFolder();
  let linkSync: jest.SpyInstance<void, Parameters<typeof fs.linkSync>>;
  let fsyncSync: jest.SpyInstance<void, Parameters<typeof fs.fsyncSync>>;
  beforeEach(() => {
    linkSync = jest.spyOn(fs, 'linkSync');
    fsyncSync = jest.spyOn(fs, 'fsyncSync');
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('lets the first writer win, and leaves nothing beside the file', () => {
    const path = join(folder, 'claim.json');
    expect(writeOnce(path, { by: 'one' })).toBe(true);
    expect(writeOnce(path, { by: 'other' })).toBe(false);
    expect(readJson(path)).toEqual({ value: { by: 'one' } });
    expect(fs.readdirSync(folder)).toEqual(['claim.json']);
  });

  describe('a power cut', () => {
    let order: string[];
    const pathOf = (descriptor: number): string => fs.readlinkSync(`/proc/self/fd/${String(descriptor)}`);
    const noted = (path: string): string => path.replace(folder, '').replace(/\.[0-9a-f-]{36}$/, ' beside') || 'folder';
    beforeEach(() => {
      order = [];
      linkSync.mockImplementation((file, name) => {
        order.push(`link ${noted(String(file))}`);
        realLink(file, name);
      });
    });

    it('leaves a whole file or none: syncs the content before the name, and the name before it returns', () => {
      fsyncSync.mockImplementation((descriptor) => {
        order.push(`keep ${noted(pathOf(descriptor))}`);
        realSync(descriptor);
      });
      writeOnce(join(folder, 'a.json'), 1);
      expect(order).toEqual(['keep /a.json beside', 'link /a.json beside', 'keep folder']);
      // A second writer may act on the file too.
      writeOnce(join(folder, 'a.json'), 2);
      expect(order.slice(3)).toEqual(['keep /a.json beside', 'link /a.json beside', 'keep folder']);
    });

    it('may lose a file that can be written again', () => {
      expect(writeOnce(join(folder, 'a.json'), 1, { durable: false })).toBe(true);
      expect(order).toEqual(['link /a.json beside']);
      expect(fsyncSync).not.toHaveBeenCalled();
    });
  });

  it('returns true although a reader has renamed the folder meanwhile', () => {
    const running = join(folder, 'a1.running');
    fs.mkdirSync(running);
    linkSync.mockImplementationOnce((file, name) => {
      realLink(file, name);
      fs.renameSync(running, join(folder, 'a1'));
    });
    expect(writeOnce(join(running, 'result.json'), { by: 'one' })).toBe(true);
    expect(readJson(join(folder, 'a1', 'result.json'))).toEqual({ value: { by: 'one' } });
  });

  it('recognises its own file when an NFS server lost the reply to the link', () => {
    linkSync.mockImplementationOnce((file, name) => {
      realLink(file, name);
      throw failing('EEXIST');
    });
    expect(writeOnce(join(folder, 'claim.json'), { by: 'one' })).toBe(true);
  });

  it.each([
    ['EPERM', false],
    ['ENOTSUP', false],
  ])('reports a file system that rejects a link with %s as one without hard links', (code, has) => {
    linkSync.mockImplementationOnce(() => {
      throw failing(code);
    });
    expect(hasHardLinks(folder)).toBe(has);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('detects hard links, and removes its probe', () => {
    expect(hasHardLinks(folder)).toBe(true);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('passes on an error that is unrelated to links', () => {
    linkSync.mockImplementationOnce(() => {
      throw failing('EIO');
    });
    expect(() => hasHardLinks(folder)).toThrow('EIO');
  });
});
