// What some test files need of the machine. A file says so by naming it; the runner leaves it out by name where it is missing.
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from '../setup/paths.mjs';

const needs = [
  {
    mark: /PHENIX_FLEET_TEST_DATA/,
    met: () => Boolean(process.env.PHENIX_FLEET_TEST_DATA),
    why: 'PHENIX_FLEET_TEST_DATA is not set (a folder with the test data sets)',
  },
  {
    mark: /PHENIX_FLEET_TEST_LOGS/,
    met: () => Boolean(process.env.PHENIX_FLEET_TEST_LOGS),
    why: 'PHENIX_FLEET_TEST_LOGS is not set (a folder with real program logs)',
  },
  {
    mark: /PHENIX_FLEET_TEST_SCENARIOS/,
    met: () => Boolean(process.env.PHENIX_FLEET_TEST_SCENARIOS),
    why: 'PHENIX_FLEET_TEST_SCENARIOS is not set (a folder with recorded decision requests)',
  },
  { mark: /@needs root/, met: () => process.getuid?.() === 0, why: 'it has to run as root' },
  { mark: /@needs linux/, met: () => process.platform === 'linux', why: 'it needs Linux (/proc)' },
];

const suffix = { small: '.spec.ts', medium: '.medium-spec.ts', e2e: '.e2e-spec.ts' };

/** Test files of a size that cannot run here, each with the reason. */
export function leftOut(size) {
  return ['apps', 'libs', 'test']
    .flatMap((folder) =>
      fs.readdirSync(path.join(checkout, folder), { recursive: true }).map((name) => path.join(folder, name)),
    )
    .filter((file) => file.endsWith(suffix[size]) && fs.existsSync(path.join(checkout, file)))
    .flatMap((file) => {
      const text = fs.readFileSync(path.join(checkout, file), 'utf8');
      const missing = needs.filter((need) => need.mark.test(text) && !need.met());
      return missing.length === 0 ? [] : [{ file, why: missing.map((need) => need.why).join('; ') }];
    });
}
