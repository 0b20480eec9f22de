import { useFolder } from '@fleet/testing';
import { problemsOf } from './fixtures/problems-of';
import { checkOwners, dataFoldersOf, dataRootsOf } from './data-roots';
import { loadConfig } from './load-config';
import { StorageConfig } from './sections';

describe('data roots', () => {
  const folder = useFolder('file');
  const load = (roots: string, shared?: string): StorageConfig =>
    loadConfig(StorageConfig, { FLEET_WORK_ROOT: folder, FLEET_DATA_ROOTS: roots, FLEET_SHARED_ROOTS: shared });

  it('are templates and common folders, and a folder of uploads', () => {
    const config = load(`${folder}/{beamline}/{proposal}:/`, '/tmp');
    expect(dataRootsOf(config, '/uploads').map(({ folder: at, of, levels }) => [at, of, levels.length])).toEqual([
      [folder, 'proposals', 2],
      ['/', 'administrators', 0],
      ['/tmp', 'everybody', 0],
      ['/uploads', 'proposals', 1],
    ]);
    expect(dataFoldersOf(config)).toEqual([folder, '/', '/tmp']);
  });

  it.each([
    ['whose folder is missing', (at: string) => `${at}/none/{proposal}`, /does not exist/],
    ['without a proposal', (at: string) => `${at}/{beamline}`, /does not have \{proposal\} in its last name/],
  ])('%s are rejected', (_, roots, reason) => {
    expect(problemsOf(() => load(roots(folder)))).toMatchObject([
      { variable: 'FLEET_DATA_ROOTS', reason: expect.stringMatching(reason) as string },
    ]);
  });

  it('must name their owners with access control; one that does not is reported, with the fix', () => {
    const check = (roots: string, shared?: string): unknown => problemsOf(() => checkOwners(load(roots, shared)));
    expect(check(`${folder}/{proposal}`, folder)).toEqual([]);
    expect(check(`${folder}/{proposal}:${folder}`)).toMatchObject([
      {
        variable: 'FLEET_DATA_ROOTS',
        reason: expect.stringContaining(`"${folder}" does not identify the owners of folders`) as string,
        allowed: expect.stringContaining(`${folder}/{proposal}`) as string,
      },
    ]);
  });

  it('are required, of either kind', () => {
    const none = loadConfig(StorageConfig, { FLEET_WORK_ROOT: folder });
    expect(problemsOf(() => dataRootsOf(none))).toMatchObject([{ variable: 'FLEET_DATA_ROOTS' }]);
  });
});
