// Runs Stryker over one lib of the domain; scripts/mutants.mjs starts it.
import { Stryker } from '@stryker-mutator/core';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkout } from '../setup/paths.mjs';

const { values, positionals: files } = parseArgs({
  options: {
    lib: { type: 'string' },
    specs: { type: 'string', multiple: true },
    temporary: { type: 'string' },
    results: { type: 'string' },
  },
  allowPositionals: true,
});
const { lib, specs, temporary, results } = values;
const folder = `libs/domain/${lib}/src`;
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));

process.chdir(checkout);
await new Stryker({
  mutate:
    files.length > 0
      ? files.map((file) => `${folder}/${file}`)
      : [`${folder}/**/*.ts`, '!**/*.spec.ts', '!**/*.medium-spec.ts', '!**/index.ts'],
  // What the specs read, and nothing else, is copied for the run.
  ignorePatterns: ['*', '!libs/**', '!knowledge/**', '!docs/**', '!test/support/**', '!scripts/setup/tiers.mjs'],
  tempDirName: path.join(temporary, 'sandbox'),
  cleanTempDir: 'always',
  plugins: [beside('in-process-runner.mjs'), beside('wording.mjs')],
  testRunner: 'in-process',
  specFolders: specs,
  ignorers: ['wording'],
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  disableTypeChecks: false,
  concurrency: 1,
  // A mutant may collect without end; it shall not take the machine's memory along.
  testRunnerNodeArgs: ['--max-old-space-size=1024'],
  timeoutMS: 180_000,
  dryRunTimeoutMinutes: 30,
  // A second round, and the next run, test again only what survived or has changed.
  incremental: true,
  incrementalFile: results,
  reporters: ['progress-append-only', 'html'],
  htmlReporter: { fileName: path.join(checkout, 'dist', 'mutants', `${lib}.html`) },
  warnings: { unknownOptions: false },
  allowConsoleColors: false,
}).runMutationTest();
