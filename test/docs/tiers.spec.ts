import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const script = "import('./scripts/setup/tiers.mjs').then((one) => console.log(JSON.stringify(one)))";
const { tiers, libFolders } = JSON.parse(
  execFileSync(process.execPath, ['--eval', script], { cwd: root, encoding: 'utf8' }),
) as Readonly<Record<'tiers' | 'libFolders', readonly string[]>>;

/** The folders that the list of libraries names, in its order. */
const listedLibs = (): readonly string[] =>
  readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    .split('\n')
    .flatMap((line) => /^- `(libs\/[^`]+)`/.exec(line)?.[1] ?? []);

const libsThere = (): readonly string[] => [
  ...tiers.flatMap((tier) => globSync(`libs/${tier}/*/`, { cwd: root }).map((folder) => folder.replace(/\/$/, ''))),
  'libs/testing',
  'libs/python-client',
];

describe("ARCHITECTURE.md's list of libraries", () => {
  it('names every library once, and only existing ones', () => {
    expect([...listedLibs()].toSorted()).toEqual(libsThere().toSorted());
  });
});

describe('tsconfig.json', () => {
  it('finds libraries in the same folders as tests and images', () => {
    const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
      compilerOptions: { paths: Record<string, readonly string[]> };
    };
    expect(compilerOptions.paths).toEqual({
      '@fleet/contracts/*': ['./libs/domain/contracts/src/*'],
      '@fleet/*': libFolders.map((folder) => `./${folder}/*/src`),
    });
  });
});
