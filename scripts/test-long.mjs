#!/usr/bin/env node
// npm run test:long: tests that take hours, and randomized tests.
import { jest } from './checks/jest.mjs';
import { runChecks } from './checks/run-checks.mjs';
import { command } from './setup/command.mjs';
import { fetchTutorials } from './setup/demo-data.mjs';
import { ensureLocalModel, mayHaveLocalModel } from './setup/local-model.mjs';
import { ensureBuild, ensureNodePackages } from './setup/node-packages.mjs';
import { ensureOpenPrograms } from './setup/open-programs.mjs';

const usage = `npm run test:long [-- FILE...]

Random kills, ten minutes of fuzzing, every fault of every model protocol, the small local model, all real datasets, and the small tests
once more, each file apart and in random order. Hours; a nightly workflow runs it, and docs/reliability.md keeps the results.
  FILE...              only these *.long-spec.ts files
  FLEET_TEST_SEED=N    the seed of everything random (each suite prints the one it took)
The variables of npm test hold here too (npm test -- --help).
`;

/** Runs the small tests isolated from each other, in random order. */
const apart = jest('small', {
  name: 'small tests, apart and in random order',
  args: ['--randomize', '--showSeed', ...(process.env.FLEET_TEST_SEED ? ['--seed', process.env.FLEET_TEST_SEED] : [])],
  env: { FLEET_TEST_APART: '1' },
});

async function work(_, positionals) {
  const begun = Date.now();
  await ensureNodePackages();
  await ensureBuild();
  await ensureOpenPrograms({ forTests: true });
  await fetchTutorials();
  if (mayHaveLocalModel) await ensureLocalModel();
  const only = positionals.length > 0 ? positionals : undefined;
  const long = jest('long', { only, args: ['--runInBand'] });
  return runChecks([[long, ...(only === undefined ? [apart] : [])]], { begun });
}

command({ call: 'npm run test:long --', usage, allowPositionals: true, work });
