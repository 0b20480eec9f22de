import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const tiers = ['domain', 'application', 'adapters', 'platform'];

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
];

describe("ARCHITECTURE.md's table of tiers", () => {
  it('names every lib once, under the tier of its folder, and none that is not there', () => {
    expect([...toldLibs()].toSorted()).toEqual(libsThere().toSorted());
  });
});
