#!/usr/bin/env node
// npm run check: the static checks and the small tests for changed files.
import { parseArgs } from 'node:util';
import { changedFiles, checksOf } from './checks/changed.mjs';
import { runChecks } from './checks/run-checks.mjs';
import { ensureNodePackages } from './setup/node-packages.mjs';
import { report } from './setup/progress.mjs';

const usage = `npm run check: format, types, lint, boundaries and small tests of what has changed.

  npm run check                  what is not committed, or else the last commit
  npm run check -- --since main  what differs from a branch or commit

A change of knowledge/ or of a configuration runs all small tests. npm test checks everything.
`;

const options = { since: { type: 'string' }, help: { type: 'boolean', default: false } };

async function main() {
  const { values } = parseArgs({ options });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  await ensureNodePackages();
  const { since, files } = changedFiles(values.since);
  if (files.length === 0) {
    process.stdout.write(`Nothing differs from ${since}.\n`);
    return 0;
  }
  process.stdout.write(`${files.length} files differ from ${since}.\n`);
  return runChecks([checksOf(files)]);
}

main().then(
  (code) => (process.exitCode = code),
  (error) => (process.exitCode = report(error)),
);
