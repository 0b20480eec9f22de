import type { FileFormat } from '@fleet/contracts/sessions';
import { dataFile } from '@fleet/testing';
import { commandFiles, inputName } from './index';

const names = (path: string, format: FileFormat): string => inputName(path, format);
const odd = '/data/a "b\\\n;c\'.mtz';

describe('the name of an input file for a program', () => {
  it.each([
    ['data.mtz', 'mtz'],
    ['4hg7_refine_001_data.MTZ', 'mtz'],
    ['half_map_1.ccp4', 'map'],
    ['AF-P00918-F1.pdb', 'pdb'],
    ['overall_best.cif', 'mmcif-model'],
    ['a..b.mtz', 'mtz'],
  ] as const)('is its own if it cannot be misread: %s', (name, format) => {
    expect(names(`/any folder\n/${name}`, format)).toBe(name);
  });

  it.each([
    ['/data/x.eff', 'mmcif-model', 'x.cif'],
    ['/data/x.pkl', 'sequence', 'x.fa'],
    ['/data/model', 'pdb', 'model.pdb'],
    ['/data/-x.mtz', 'mtz', 'x.mtz'],
    ['/data/.mtz', 'mtz', 'file.mtz'],
    ['/data/..mtz', 'mtz', 'file.mtz'],
    ['/data/x y=1;\n.mtz', 'mtz', 'x_y_1_.mtz'],
    ['/data/\u202eztm.atad.mtz', 'mtz', '_ztm.atad.mtz'],
    [`/data/${'x'.repeat(200)}.mtz`, 'mtz', `${'x'.repeat(80)}.mtz`],
  ] as const)('is derived from it otherwise: %j', (path, format, name) => {
    expect(names(path, format)).toBe(name);
  });

  it.each(Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code + 1)).filter((one) => one !== '/'))(
    'contains no %j that a parser could misread',
    (character) => {
      expect(names(`/data/a${character}b${character}.mtz${character}`, 'mtz')).toMatch(/^\w[\w.-]{0,99}$/);
      expect(names(`/data/${character}.mtz`, 'mtz')).toMatch(/^\w[\w.-]{0,99}\.mtz$/);
    },
  );
});

describe('the files of a command', () => {
  const inputs = [
    { slot: 'model', path: '/data/model.pdb' },
    { slot: 'data_mtz', path: odd },
    { slot: 'other', path: '/other/model.pdb' },
  ];

  it('are found without a parameter, and after one, quoted or not', () => {
    const argv = ['phenix.refine', '/data/model.pdb', String.raw`data.file="a"`, 'x.file_name=/other/model.pdb'];
    // As in quoted commands: the path contains both kinds of quotes.
    const quoted = `data.file_name="${odd.replace(/[\\"]/g, (one) => `\\${one}`)}"`;
    expect(commandFiles({ argv: [...argv, quoted, odd], inputs }, [])).toEqual([
      { argument: 1, path: '/data/model.pdb', name: '1/model.pdb' },
      { argument: 3, flag: 'x.file_name', path: '/other/model.pdb', name: '2/model.pdb' },
      { argument: 4, flag: 'data.file_name', path: odd, name: '3/a_b_c_.mtz' },
      { argument: 5, path: odd, name: '3/a_b_c_.mtz' },
    ]);
  });

  it("include the session's record of them", () => {
    const file = dataFile({}, '/data/x.hkl');
    const own = [{ slot: 'data', path: '/data/x.hkl' }];
    expect(commandFiles({ argv: ['p', '/data/x.hkl'], inputs: own }, [dataFile(), file])).toEqual([
      { argument: 1, path: '/data/x.hkl', file, name: '1/x.mtz' },
    ]);
    expect(commandFiles({ argv: ['p', '/data/x.hkl'], inputs: own }, [dataFile()])[0]).not.toHaveProperty('file');
  });

  it('are read from matching quotes of either kind', () => {
    const found = (value: string): number => commandFiles({ argv: ['p', `a=${value}`], inputs }, []).length;
    const path = '/data/model.pdb';
    expect([found(`"${path}"`), found(`'${path}'`), found(path)]).toEqual([1, 1, 1]);
    expect([found(`"${path}'`), found(`'${path}`), found(`x${path}x`), found('"'), found('')]).toEqual([0, 0, 0, 0, 0]);
  });

  it('are those of the decision, and no argument that only looks like one', () => {
    const argv = ['/data/model.pdb', '/data/model.pdb2', 'prefix=model.pdb', 'strategy=/data/none.pdb'];
    expect(commandFiles({ argv, inputs }, [])).toEqual([]);
  });
});
