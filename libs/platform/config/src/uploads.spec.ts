import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@fleet/testing';
import { loadConfig } from './load-config';
import { uploadsOf, type UploadSettings } from './uploads';
import { UploadsConfig } from './uploads-section';

describe('uploadsOf', () => {
  const home = useFolder('file');
  beforeAll(() => {
    for (const folder of ['data/uploads', 'work/mx1', 'elsewhere']) mkdirSync(join(home, folder), { recursive: true });
    symlinkSync(join(home, 'work/mx1'), join(home, 'data/results'));
  });

  const at = (folder: string | undefined, more: NodeJS.ProcessEnv = {}): UploadSettings | undefined =>
    uploadsOf(
      loadConfig(UploadsConfig, { ...(folder !== undefined && { FLEET_UPLOAD_ROOT: join(home, folder) }), ...more }),
      { dataRoots: [join(home, 'data')], workRoot: join(home, 'work') },
    );

  it('is undefined without an upload folder', () => {
    expect(at(undefined)).toBeUndefined();
  });

  it('accepts a data root, or a folder in one', () => {
    expect(at('data')?.root).toBe(join(home, 'data'));
    const more = { FLEET_UPLOAD_MAX_FILE_MIB: '2', FLEET_UPLOAD_MAX_DAY_MIB: '3', FLEET_UPLOAD_KEEP_HOURS: '4' };
    expect(at('data/uploads', more)).toEqual({
      root: join(home, 'data/uploads'),
      rules: { maxFileBytes: 2 * 1024 ** 2, maxDayBytes: 3 * 1024 ** 2, keepHours: 4 },
    });
  });

  it.each([
    ['elsewhere', 'is outside every FLEET_DATA_ROOTS folder'],
    ['work', 'is outside every FLEET_DATA_ROOTS folder'],
    ['.', 'is outside every FLEET_DATA_ROOTS folder'],
    ['data/results', 'is outside every FLEET_DATA_ROOTS folder'],
  ])('rejects %s', (folder, told) => {
    expect(() => at(folder)).toThrow(told);
  });

  it('rejects the results folder, its subfolders and its parents', () => {
    const config = loadConfig(UploadsConfig, { FLEET_UPLOAD_ROOT: home });
    const around = { dataRoots: [home], workRoot: join(home, 'work') };
    expect(() => uploadsOf(config, around)).toThrow('lie in one another');
    const inside = loadConfig(UploadsConfig, { FLEET_UPLOAD_ROOT: join(home, 'work/mx1') });
    expect(() => uploadsOf(inside, around)).toThrow('lie in one another');
  });
});
