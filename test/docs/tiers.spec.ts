import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const script = "import('./scripts/setup/tiers.mjs').then((one) => console.log(JSON.stringify(one)))";
const { tiers, libFolders } = JSON.parse(
  execFileSync(process.execPath, ['--eval', script], { cwd: root, encoding: 'utf8' }),
) as Readonly<Record<'tiers' | 'libFolders', readonly string[]>>;

/** The libs that the table of tiers names, as `tier folder`, in the order of its rows. */
const toldLibs = (): readonly string[] =>
  readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    .split('\n')
    .map((line) => /^\| ([a-z]+) +\| `(libs\/[^`]+)`/.exec(line))
    .filter((row) => row !== null)
    .map(([, tier, folder]) => `${tier} ${folder}`);

const libsThere = (): readonly string[] => [
  ...tiers.flatMap((tier) =>
    globSync(`libs/${tier}/*/`, { cwd: root }).map((folder) => `${tier} ${folder.replace(/\/$/, '')}`),
  ),
  'tests libs/testing',
  'client libs/python-client',
];

describe("ARCHITECTURE.md's table of tiers", () => {
  it('names every lib once, under the tier of its folder, and none that is not there', () => {
    expect([...toldLibs()].toSorted()).toEqual(libsThere().toSorted());
  });
});

describe('tsconfig.json', () => {
  it('finds a lib in the folders in which tests and images find it', () => {
    const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
      compilerOptions: { paths: Record<string, readonly string[]> };
    };
    expect(compilerOptions.paths).toEqual({ '@fleet/*': libFolders.map((folder) => `./${folder}/*/src`) });
  });
});
