#!/usr/bin/env node
import { runBackup } from './run-backup';

// oxlint-disable-next-line fleet/no-environment -- a process of its own, which loads its configuration by itself
void runBackup(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
}).then((code) => {
  process.exitCode = code;
});
