import {
  baseName,
  globTest,
  matchesByName,
  matchesReference,
  matchesGlob,
  namedBy,
  referencesTo,
  stemOf,
} from './name-glob';

describe('a glob', () => {
  const matched: readonly [string, string][] = [
    ['refine_001.pdb', 'refine_*.pdb'],
    ['REFINE_001.PDB', 'refine_*.pdb'],
    ['refine_.pdb', 'refine_*.pdb'],
    ['refine_001.pdb', 'refine_***.pdb'],
    ['model_1.pdb', 'model_[0-9].pdb'],
    ['model_1.pdb', 'model_?.pdb'],
    ['a+b(c).{d}^$|.pdb', 'a+b(c).{d}^$|.pdb'],
    ['line\nbreak.pdb', 'line*.pdb'],
  ];
  const others: readonly [string, string][] = [
    ['my_refine_001.pdb', 'refine_*.pdb'],
    ['refine_001.pdb.bak', 'refine_*.pdb'],
    ['refine_001_pdb', 'refine_*.pdb'],
    ['model_12.pdb', 'model_?.pdb'],
    ['model_.pdb', 'model_?.pdb'],
    ['model_x.pdb', 'model_[0-9].pdb'],
  ];

  it.each(matched)('matches %j: %s', (name, glob) => {
    expect(matchesGlob(name, glob)).toBe(true);
    expect(matchesGlob(name, glob)).toBe(true);
    expect(globTest(['no-such-file', glob])(name)).toBe(true);
  });

  it.each(others)('does not match %j: %s', (name, glob) => {
    expect(matchesGlob(name, glob)).toBe(false);
    expect(globTest(['no-such-file', glob])(name)).toBe(false);
  });

  it('of an empty list matches nothing, not even an empty name', () => {
    expect(globTest([])('')).toBe(false);
  });
});

describe('a path', () => {
  it.each([
    ['/data/x/model.pdb', 'model.pdb', 'model'],
    ['model.tar.gz', 'model.tar.gz', 'model.tar'],
    ['/data/.hidden', '.hidden', '.hidden'],
    ['/data/plain', 'plain', 'plain'],
  ])('%s has a name, and a stem before its last extension', (path, name, stem) => {
    expect(baseName(path)).toBe(name);
    expect(stemOf(path)).toBe(stem);
  });
});

describe('a file is matched', () => {
  it.each([
    ['/data/a.pdb', true],
    ['a.pdb', true],
    ['/other/a.pdb', false],
    ['x/a.pdb', false],
    ['b.pdb', false],
  ])('by its path, or only by its name: %s', (said, is) => {
    expect(matchesReference('/data/a.pdb', said)).toBe(is);
    expect(referencesTo(['/data/z.pdb', '/data/a.pdb'])(said)).toBe(is);
  });
});

describe("a file is matched by the submitter's name for it", () => {
  it.each([
    ['/data/a.pdb', '/data/a.pdb', true],
    ['/data/a.pdb', 'a.pdb', true],
    ['/data/a.pdb', '/home/me/a.pdb', true],
    ['/data/a.pdb', '/data/b.pdb', false],
    ['a.pdb', 'a.pdb', true],
    ['a.pdb', '/home/me/a.pdb', false],
  ])('with any folder: %s as %s', (path, said, is) => {
    expect(matchesByName(path, said)).toBe(is);
    expect(namedBy(['/data/z.pdb', said])(path)).toBe(is);
  });

  it('but not by an empty name', () => {
    expect(namedBy([])('/data/a.pdb')).toBe(false);
  });
});
