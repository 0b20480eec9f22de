#!/usr/bin/env node
// npm test: installs what the tests need, then runs all of them. Needs Node 20 with npm and Python 3.10 to 3.13, nothing else.
import { runChecks, allChecks } from './checks/checks.mjs';
import { fetchTutorials } from './setup/demo-data.mjs';
import { ensureBuild, ensureNodePackages } from './setup/node-packages.mjs';
import { ensureOpenPrograms } from './setup/open-programs.mjs';
import { report } from './setup/progress.mjs';

const usage = `npm test: every check and test of the project.

What this machine cannot run is named with the reason at the end.
  FLEET_TEST_REQUIRE_ALL=1       nothing may be left out
  PHENIX_FLEET_TEST_DATA=DIR     the real data sets of the long tests
  PHENIX_FLEET_TEST_LOGS=DIR     real program logs
  PHENIX_FLEET_TEST_SCENARIOS=DIR  recorded decision requests
npm run verify is the shorter round while you work: no open programs, no end-to-end tests.
`;

async function main() {
  if (process.argv.includes('--help')) {
    process.stdout.write(usage);
    return 0;
  }
  await ensureNodePackages();
  await ensureBuild();
  await ensureOpenPrograms({ forTests: true });
  await fetchTutorials();
  return runChecks(allChecks, { mayLeaveOut: process.env.FLEET_TEST_REQUIRE_ALL !== '1' });
}

main().then(
  (code) => (process.exitCode = code),
  (error) => (process.exitCode = report(error)),
);
