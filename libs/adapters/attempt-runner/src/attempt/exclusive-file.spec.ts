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

    it('leaves a whole file or none: its content is kept before its name, and its name before anybody is told', () => {
      fsyncSync.mockImplementation((descriptor) => {
        order.push(`keep ${noted(pathOf(descriptor))}`);
        realSync(descriptor);
      });
      writeOnce(join(folder, 'a.json'), 1);
      expect(order).toEqual(['keep /a.json beside', 'link /a.json beside', 'keep folder']);
      // Whoever comes second may act on the file too.
      writeOnce(join(folder, 'a.json'), 2);
      expect(order.slice(3)).toEqual(['keep /a.json beside', 'link /a.json beside', 'keep folder']);
    });

    it('may take what can be said again', () => {
      expect(writeOnce(join(folder, 'a.json'), 1, { durable: false })).toBe(true);
      expect(order).toEqual(['link /a.json beside']);
      expect(fsyncSync).not.toHaveBeenCalled();
    });
  });

  it('has written its file although somebody who saw it has renamed the folder at once', () => {
    const running = join(folder, 'a1.running');
    fs.mkdirSync(running);
    linkSync.mockImplementationOnce((file, name) => {
      realLink(file, name);
      fs.renameSync(running, join(folder, 'a1'));
    });
    expect(writeOnce(join(running, 'result.json'), { by: 'one' })).toBe(true);
    expect(readJson(join(folder, 'a1', 'result.json'))).toEqual({ value: { by: 'one' } });
  });

  it('knows its own file when a server that lost its answer says that the name is taken', () => {
    linkSync.mockImplementationOnce((file, name) => {
      realLink(file, name);
      throw failing('EEXIST');
    });
    expect(writeOnce(join(folder, 'claim.json'), { by: 'one' })).toBe(true);
  });

  it.each([
    ['EPERM', false],
    ['ENOTSUP', false],
  ])('says that a file system that answers a link with %s has none', (code, has) => {
    linkSync.mockImplementationOnce(() => {
      throw failing(code);
    });
    expect(hasHardLinks(folder)).toBe(has);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('finds hard links where there are some, and takes its probe away', () => {
    expect(hasHardLinks(folder)).toBe(true);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('passes on a trouble that says nothing about links', () => {
    linkSync.mockImplementationOnce(() => {
      throw failing('EIO');
    });
    expect(() => hasHardLinks(folder)).toThrow('EIO');
  });
});
