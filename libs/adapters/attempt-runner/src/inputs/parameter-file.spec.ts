import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@fleet/testing';
import { withParameterFile } from './parameter-file';

const file = {
  name: 'components.eff',
  flag: 'phaser.ensemble.coordinates.pdb',
  number: 'phaser.search.copies',
  block: 'ensemble {index} {path} times {number}\n',
};

describe('grouped parameters', () => {
  const folder = useFolder();

  it('go into one file, which replaces the first of them', () => {
    const argv = [
      'phenix.phaser',
      '/i/1/d.mtz',
      'phaser.ensemble.coordinates.pdb=/i/2/a.pdb',
      'phaser.ensemble.coordinates.pdb="/i i/3/b.pdb"',
      'phaser.mode=MR_AUTO',
      'phaser.search.copies=2',
    ];
    expect(withParameterFile(argv, file, folder)).toEqual([
      'phenix.phaser',
      '/i/1/d.mtz',
      join(folder, 'components.eff'),
      'phaser.mode=MR_AUTO',
    ]);
    expect(readFileSync(join(folder, 'components.eff'), 'utf8')).toBe(
      'ensemble 1 "/i/2/a.pdb" times 2\nensemble 2 "/i i/3/b.pdb" times 2\n',
    );
  });

  it('leave a command unchanged that has none of them', () => {
    const argv = ['phenix.phaser', '/i/1/d.mtz', '/i/2/a.pdb', 'phaser.search_copies=2'];
    expect(withParameterFile(argv, file, folder)).toBe(argv);
    expect(withParameterFile(argv, undefined, folder)).toBe(argv);
  });
});
