#!/usr/bin/env node
// npm run verify: format, types, lint, boundaries, unused code, small and medium tests.
import { verifyChecks } from './checks/checks.mjs';
import { runChecks } from './checks/run-checks.mjs';
import { ensureBuild, ensureNodePackages } from './setup/node-packages.mjs';
import { report } from './setup/progress.mjs';

async function main() {
  await ensureNodePackages();
  await ensureBuild();
  return runChecks(verifyChecks);
}

main().then(
  (code) => (process.exitCode = code),
  (error) => (process.exitCode = report(error)),
);
