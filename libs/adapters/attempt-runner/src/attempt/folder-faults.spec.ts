import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isThere, storageFault, unusableFolder } from './folder-faults';

const failing = (code: string): Error => Object.assign(new Error(`${code}: so it is`), { code });
const statFailsOnce = (code: string): void => {
  jest.spyOn(fs, 'statSync').mockImplementationOnce(() => {
    throw failing(code);
  });
};

describe('a failing disk or file server', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each(['EIO', 'ESTALE', 'ETIMEDOUT'])('that reports %s is not treated as a missing file', (code) => {
    statFailsOnce(code);
    expect(() => isThere('/work/mx1/s1/c001/a1')).toThrow(code);
  });

  it('counts as a missing file if the file or its folder is missing or access is denied', () => {
    const file = join(fs.mkdtempSync(join(tmpdir(), 'fleet-there-')), 'file');
    fs.writeFileSync(file, '');
    expect([isThere(file), isThere(`${file}/below`), isThere(`${file}s`)]).toEqual([true, false, false]);
    statFailsOnce('EACCES');
    expect(isThere(file)).toBe(false);
    fs.rmSync(join(file, '..'), { recursive: true });
  });

  it.each(['EIO', 'ESTALE', 'ENOSPC', 'EDQUOT'])('is a transient fault with a text when it reports %s', (code) => {
    expect(storageFault(failing(code))).toMatchObject({
      code: 'run.storage_failing',
      kind: 'transient',
      message: `the file system of the work root fails: ${code}: so it is`,
    });
  });

  it('leaves all other errors unchanged', () => {
    const error = failing('ECONNREFUSED');
    expect(storageFault(error)).toBe(error);
    expect(unusableFolder(error, '/work')).toBeUndefined();
  });

  it('excludes a read-only folder, which the caller describes', () => {
    expect(unusableFolder(failing('EROFS'), '/work/s1')).toMatchObject({
      code: 'run.folder_unusable',
      kind: 'caller',
      message: '/work/s1 cannot be used: its file system is read-only',
    });
    expect(unusableFolder(failing('EPERM'), '/work/s1', { EPERM: 'of another group' })?.message).toBe(
      '/work/s1 cannot be used: of another group',
    );
  });
});
