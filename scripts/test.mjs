#!/usr/bin/env node
// npm test: installs the tests' requirements, then runs every check that decides whether a change may be merged.
import path from 'node:path';
import { ensureHelm } from './cluster/binaries.mjs';
import { lanes, parts } from './checks/checks.mjs';
import { jest } from './checks/jest.mjs';
import { sizeOf } from './checks/needs.mjs';
import { runChecks } from './checks/run-checks.mjs';
import { ensureBrowser } from './setup/browser.mjs';
import { command } from './setup/command.mjs';
import { fetchTutorials } from './setup/demo-data.mjs';
import { ensureBuild, ensureNodePackages } from './setup/node-packages.mjs';
import { ensureOpenPrograms } from './setup/open-programs.mjs';
import { checkout } from './setup/paths.mjs';
import { SetupProblem } from './setup/progress.mjs';
import { ensurePythonClient } from './setup/python-client.mjs';

const usage = `npm test [-- FILE...] [--only PART,...]

Static checks, then all tests but those that need a Kubernetes cluster (npm run test:cluster) or hours (npm run test:long).
At the end: what this machine cannot run, with the reason, and one line for each part with its result and duration.
  FILE...        only these test files, whatever their size
  --only PART    only these parts: ${Object.keys(parts).join(', ')}; several with commas

  FLEET_TEST_REQUIRE_ALL=1         nothing may be left out
  PHENIX_FLEET_TEST_DATA=DIR       the real datasets of the end-to-end tests
  PHENIX_FLEET_TEST_LOGS=DIR       real program logs
  PHENIX_FLEET_TEST_SCENARIOS=DIR  recorded decision requests
  PHENIX_FLEET_TEST_CASES=DIR      files as people bring them, each with requests
  FLEET_TEST_SEED=N                properties draw other values than those of each run
  FLEET_TEST_AGAIN=1               the open programs' own tests run even where nothing that they read has changed since they passed here
npm run check is the short round while you work.
`;

/** Installs or builds the requirements of all tests, each only if it is missing. */
async function prepare() {
  await ensureBuild();
  await ensureOpenPrograms({ forTests: true });
  await ensurePythonClient();
  await fetchTutorials();
  await ensureBrowser();
  process.env.PATH = [await ensureHelm(), process.env.PATH].filter(Boolean).join(path.delimiter);
}

/** One check for each test size among these files. */
function checksOf(named) {
  const files = named.map((file) => path.relative(checkout, path.resolve(file)));
  const unknown = files.filter((file) => sizeOf(file) === undefined);
  if (unknown.length > 0) throw new SetupProblem(`${unknown.join(', ')}: not a test file.`);
  return [...new Set(files.map(sizeOf))].map((size) => jest(size, { only: files }));
}

function chosen(only) {
  const names = only?.split(',') ?? Object.keys(parts);
  const unknown = names.filter((name) => !(name in parts));
  if (unknown.length > 0)
    throw new SetupProblem(`--only: no part ${unknown.join(', ')}.`, `Parts: ${Object.keys(parts).join(', ')}.`);
  return Object.fromEntries(names.map((name) => [name, parts[name]]));
}

async function work({ only }, positionals) {
  const begun = Date.now();
  const chosenLanes = positionals.length > 0 ? [checksOf(positionals)] : lanes(chosen(only));
  await ensureNodePackages();
  await prepare();
  return runChecks(chosenLanes, { mayLeaveOut: process.env.FLEET_TEST_REQUIRE_ALL !== '1', begun });
}

command({ call: 'npm test --', usage, options: { only: { type: 'string' } }, allowPositionals: true, work });
