import * as fs from 'node:fs';
import * as promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasHardLinks, readJson, writeOnce, writeOnceMeanwhile } from './exclusive-file';

type FileSystem = typeof fs;

jest.mock('node:fs', () => {
  const actual = jest.requireActual<FileSystem>('node:fs');
  return { ...actual, linkSync: jest.fn(actual.linkSync), fsyncSync: jest.fn(actual.fsyncSync) };
});
jest.mock('node:fs/promises', () => {
  const actual = jest.requireActual<typeof promises>('node:fs/promises');
  return { ...actual, open: jest.fn(actual.open), writeFile: jest.fn(actual.writeFile) };
});
const linkSync = jest.mocked(fs.linkSync);
const { linkSync: realLink } = jest.requireActual<FileSystem>('node:fs');

const failing = (code: string): Error => Object.assign(new Error(code), { code });

describe('files with one writer', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(join(tmpdir(), 'fleet-exclusive-'));
    linkSync.mockReset().mockImplementation(realLink);
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });

  it('lets the first writer win, and leaves nothing beside the file', () => {
    const path = join(folder, 'claim.json');
    expect(writeOnce(path, { by: 'one' })).toBe(true);
    expect(writeOnce(path, { by: 'other' })).toBe(false);
    expect(readJson(path)).toEqual({ value: { by: 'one' } });
    expect(fs.readdirSync(folder)).toEqual(['claim.json']);
  });

  it('leaves nothing beside the file, and the first writer wins, where the disk is waited for meanwhile', async () => {
    const path = join(folder, 'spec.json');
    const firsts = await Promise.all([1, 2, 3, 4].map((by) => writeOnceMeanwhile(path, { by })));
    expect(firsts.filter((first) => first)).toHaveLength(1);
    expect(fs.readdirSync(folder)).toEqual(['spec.json']);
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
      const { fsyncSync: realSync } = jest.requireActual<FileSystem>('node:fs');
      jest.mocked(fs.fsyncSync).mockImplementation((descriptor) => {
        order.push(`keep ${noted(pathOf(descriptor))}`);
        realSync(descriptor);
      });
      writeOnce(join(folder, 'a.json'), 1);
      expect(order).toEqual(['keep /a.json beside', 'link /a.json beside', 'keep folder']);
      // Whoever comes second may act on the file too.
      writeOnce(join(folder, 'a.json'), 2);
      expect(order.slice(3)).toEqual(['keep /a.json beside', 'link /a.json beside', 'keep folder']);
    });

    it('does so too where the disk is waited for meanwhile', async () => {
      const actual = jest.requireActual<typeof promises>('node:fs/promises');
      jest.mocked(promises.writeFile).mockImplementation(async (file, data, options) => {
        await actual.writeFile(file, data, options);
        if (typeof options === 'object' && options?.flush === true) order.push(`keep ${noted(file as string)}`);
      });
      jest.mocked(promises.open).mockImplementation(async (...given) => {
        const handle = await actual.open(...given);
        const sync = handle.sync.bind(handle);
        handle.sync = async () => {
          await sync();
          order.push(`keep ${noted(String(given[0]))}`);
        };
        return handle;
      });
      await writeOnceMeanwhile(join(folder, 'a.json'), 1);
      expect(order).toEqual(['keep /a.json beside', 'link /a.json beside', 'keep folder']);
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
