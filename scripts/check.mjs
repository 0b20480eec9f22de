#!/usr/bin/env node
// npm run check: the static checks and the small tests for changed files.
import { changedFiles, checksOf } from './checks/changed.mjs';
import { runChecks } from './checks/run-checks.mjs';
import { command } from './setup/command.mjs';
import { ensureNodePackages } from './setup/node-packages.mjs';

const usage = `npm run check: format, types, lint, boundaries and small tests of what has changed.

  npm run check                  what is not committed, or else the last commit
  npm run check -- --since main  what differs from a branch or commit

A change of knowledge/ or of a configuration runs all small tests. npm test checks everything.
`;

async function work(values) {
  await ensureNodePackages();
  const { since, files } = changedFiles(values.since);
  if (files.length === 0) {
    process.stdout.write(`Nothing differs from ${since}.\n`);
    return 0;
  }
  process.stdout.write(`${files.length} files differ from ${since}.\n`);
  return runChecks([checksOf(files)]);
}

command({ call: 'npm run check --', usage, options: { since: { type: 'string' } }, work });
