// Checks that the licence of every locked npm package allows our use and redistribution.
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from '../setup/paths.mjs';

/** SPDX identifiers. */
const permissive = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
];

/** Packages for building or testing only, which are not redistributed. */
const tools = [
  { name: /^axe-core$/, license: 'MPL-2.0' },
  { name: /^lightningcss(?:-|$)/, license: 'MPL-2.0' },
  { name: /^caniuse-lite$/, license: 'CC-BY-4.0' },
];

/** Evaluates SPDX expressions as packages here have them: `(MIT OR CC0-1.0)`, `Apache-2.0 AND MIT`. */
const isPermissive = (expression) =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((all) => all.split(' AND ').every((id) => permissive.includes(id.trim())));

const lockedPackages = () => JSON.parse(fs.readFileSync(path.join(checkout, 'package-lock.json'), 'utf8')).packages;

/** Prints each package with another licence. @param packages those of package-lock.json @returns true if every licence is allowed */
export function checkLicences(packages = lockedPackages()) {
  const wrong = Object.entries(packages)
    .filter(([folder]) => folder !== '')
    .map(([folder, { version, license = '' }]) => ({ name: folder.split('node_modules/').at(-1), version, license }))
    .filter(({ license }) => !isPermissive(license))
    .filter(({ name, license }) => !tools.some((tool) => tool.name.test(name) && tool.license === license));
  for (const { name, version, license } of wrong)
    process.stdout.write(
      `${name} ${version}: ${license || 'its package names no licence'}; scripts/checks/licences.mjs allows others\n`,
    );
  return wrong.length === 0;
}
