import { readFolderPattern } from './index';

const problemsOf = (pattern: string, base?: string): readonly string[] => {
  const read = readFolderPattern(pattern, base);
  return 'problems' in read ? read.problems.map(({ reason }) => reason) : [];
};

it('reads names, variables and stars part by part', () => {
  const read = readFolderPattern('{crystal}/run_{n}.*(1).mtz', '/data/mx1');
  if ('problems' in read) throw new Error('refused');
  const [data, visit, folder, file] = read.pattern.parts;
  expect([data, visit]).toEqual([{ name: 'data' }, { name: 'mx1' }]);
  if (folder === undefined || file === undefined || 'name' in folder || 'name' in file)
    throw new Error('no expression');
  expect(folder.fits.exec('x1')?.groups).toEqual({ crystal: 'x1' });
  expect(file.fits.exec('run_3.refl(1).mtz')?.groups).toEqual({ n: '3' });
  expect(file.fits.test('run_3.refl1.mtz')).toBe(false);
});

it('refuses an invalid pattern, or one that leaves its folder', () => {
  expect(problemsOf('data/{x}.mtz')).toEqual(['is not an absolute path']);
  expect(problemsOf('/data/../{x}.mtz')).toEqual(['has a part that is empty, "." or ".."']);
  expect(problemsOf('/data/x.mtz')).toEqual(['names one file']);
  expect(problemsOf('/data/{X}.mtz')).toEqual([
    'holds a brace that names no variable',
    'holds a brace that names no variable',
  ]);
  expect(problemsOf('/data/{a}{b}{c}*.mtz')).toEqual(['has too many {name} and * in one name']);
});
