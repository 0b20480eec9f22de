#!/usr/bin/env node
// npm run test:cluster: tests the fleet on Kubernetes: images, a real cluster with the chart, pods, Kueue, an upgrade, short chaos.
import { clusterContents, clusterDigest } from './checks/cluster-contents.mjs';
import { jest } from './checks/jest.mjs';
import { testFiles } from './checks/needs.mjs';
import { lastPass, runAndNote } from './checks/passes.mjs';
import { runChecks } from './checks/run-checks.mjs';
import { binariesCached } from './cluster/binaries.mjs';
import { withCluster } from './cluster/for-tests.mjs';
import { command } from './setup/command.mjs';
import { fetchTutorials } from './setup/demo-data.mjs';
import { ensureBuild, ensureNodePackages } from './setup/node-packages.mjs';
import { ensureOpenPrograms } from './setup/open-programs.mjs';

const usage = `npm run test:cluster [-- FILE...] [--if-changed]

Every *.cluster-spec.ts, one after the other, on a real Kubernetes that is built and started for them (scripts/cluster/README.md). Needs
Linux, root and Go 1.26; the first time it builds for 15 minutes, before anything else and alone. Then at most 25 minutes.
  FILE...        only these files
  --if-changed   runs nothing where the contents that the suite depends on are those with which it last passed on this machine, nor where
                 the cluster's binaries would have to be built first; prints which it is. For .ci/run, after npm test.

  KUBECONFIG=FILE            a cluster of yours serves; files that stop its parts or load images are left out by name
  FLEET_TEST_REQUIRE_ALL=1   nothing may be left out
Contents: ${clusterContents.join(', ')}
`;

const suite = 'cluster-suite';

const print = (...lines) => process.stdout.write(lines.map((line) => `${line}\n`).join(''));

/** Whether `--if-changed` has nothing to run; prints the reason. */
function isSpared(digest) {
  const last = lastPass(suite);
  if (last?.digest === digest) {
    print(
      `Cluster suite: not run. Its contents (${digest}) are unchanged since ${last.passed} tests passed on ${last.on} on this machine.`,
    );
    return true;
  }
  const why =
    last === undefined ? 'It has not passed on this machine yet.' : `It last passed on ${last.on} (${last.digest}).`;
  if (binariesCached()) {
    print(`Cluster suite: runs, because its contents (${digest}) have changed. ${why}`);
    return false;
  }
  print(
    `Cluster suite: left to a run that has the cluster's binaries (npm run test:cluster builds them). ${why} Left out:`,
    ...testFiles('cluster').map(({ file }) => `  ${file}`),
  );
  return true;
}

async function work(values, positionals) {
  const begun = Date.now();
  const digest = clusterDigest();
  if (values['if-changed'] && isSpared(digest)) return 0;
  await ensureNodePackages();
  await ensureBuild();
  await ensureOpenPrograms({ forTests: true });
  await fetchTutorials();
  return withCluster(() => {
    const only = positionals.length > 0 ? positionals : undefined;
    const all = jest('cluster', { only, args: ['--runInBand'] });
    // Recorded only if all files ran.
    const check = only === undefined ? { ...all, run: (options) => runAndNote(suite, digest, all, options) } : all;
    return runChecks([[check]], { mayLeaveOut: process.env.FLEET_TEST_REQUIRE_ALL !== '1', begun });
  });
}

command({
  call: 'npm run test:cluster --',
  usage,
  options: { 'if-changed': { type: 'boolean', default: false } },
  allowPositionals: true,
  work,
});
