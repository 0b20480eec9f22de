#!/usr/bin/env node
// npm test: installs what the tests need, then runs all of them. Needs Node 20 with npm and Python 3.10 to 3.13; the suites on a
// cluster need Linux, root and Go too, and are left out by name elsewhere.
import { checksOnCluster, checksWithoutCluster } from './checks/checks.mjs';
import { beginCluster } from './checks/cluster.mjs';
import { testFiles } from './checks/needs.mjs';
import { runChecks } from './checks/run-checks.mjs';
import { ensureBrowser } from './setup/browser.mjs';
import { fetchTutorials } from './setup/demo-data.mjs';
import { ensureLocalModel, mayHaveLocalModel } from './setup/local-model.mjs';
import { ensureBuild, ensureNodePackages } from './setup/node-packages.mjs';
import { ensureOpenPrograms } from './setup/open-programs.mjs';
import { report } from './setup/progress.mjs';
import { ensurePythonClient } from './setup/python-client.mjs';

const usage = `npm test: every check and test of the project.

At the end: what this machine cannot run, with the reason; what failed beside others and passed alone
(medium and end-to-end tests); and one line a suite with what it came to and how long it took.
  FLEET_TEST_REQUIRE_ALL=1       nothing may be left out
  PHENIX_FLEET_TEST_DATA=DIR     the real data sets of the long tests
  PHENIX_FLEET_TEST_LOGS=DIR     real program logs
  PHENIX_FLEET_TEST_SCENARIOS=DIR  recorded decision requests
  FLEET_TEST_AGAIN=1             tests run even where nothing that they can read has changed since they passed on this machine
  KUBECONFIG=FILE                a cluster that serves instead of the one that is built (Linux, root, Go)
npm test -- --without-cluster leaves the suites that need a cluster or built images to another run, and names them.
npm run verify is the shorter round while you work: no open programs, no end-to-end tests, no cluster.
`;

async function checkAll(begun, cluster) {
  await ensureBuild();
  await ensureOpenPrograms({ forTests: true });
  await ensurePythonClient();
  if (mayHaveLocalModel) await ensureLocalModel();
  await fetchTutorials();
  await ensureBrowser();
  return runChecks([...checksWithoutCluster, cluster.check, ...checksOnCluster], {
    mayLeaveOut: process.env.FLEET_TEST_REQUIRE_ALL !== '1',
    begun,
  });
}

/** Everything but what needs a cluster, its tools or built images; those files are named. */
async function checkWithoutCluster(begun) {
  await ensureBuild();
  await ensureOpenPrograms({ forTests: true });
  await ensurePythonClient();
  if (mayHaveLocalModel) await ensureLocalModel();
  await fetchTutorials();
  await ensureBrowser();
  const code = await runChecks(checksWithoutCluster, {
    mayLeaveOut: process.env.FLEET_TEST_REQUIRE_ALL !== '1',
    begun,
  });
  const files = ['small', 'medium', 'e2e'].flatMap((size) => testFiles(size).filter(({ late }) => late));
  process.stdout.write(
    `Not asked for (--without-cluster), ${files.length} files:\n${files.map(({ file }) => `  ${file}\n`).join('')}`,
  );
  return code;
}

async function main() {
  if (process.argv.includes('--help')) {
    process.stdout.write(usage);
    return 0;
  }
  const begun = Date.now();
  await ensureNodePackages();
  if (process.argv.includes('--without-cluster')) return checkWithoutCluster(begun);
  const cluster = await beginCluster();
  const interrupt = () => void Promise.resolve(cluster.end()).finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupt);
  try {
    return await checkAll(begun, cluster);
  } finally {
    await cluster.end();
  }
}

main().then(
  (code) => (process.exitCode = code),
  (error) => (process.exitCode = report(error)),
);
