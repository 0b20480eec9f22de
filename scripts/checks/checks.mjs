// Every check of `npm test`: static checks, and tests by size.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { answerOf } from '../setup/commands.mjs';
import { checkout, openProgramsDirectory } from '../setup/paths.mjs';
import { execute } from './execute.mjs';
import { jest } from './jest.mjs';
import { checkLicences } from './licences.mjs';
import { unlessUnchanged } from './unchanged.mjs';

/** A check that runs a program on the checkout and fails by its exit code. */
export const tool = (name, ...args) => ({
  name,
  run: async ({ output } = {}) => ({ ok: await execute(args[0], args.slice(1), { output }) }),
});

/** The pytest suite of the open programs, in their own environment. */
const kitTests = {
  name: 'open programs (pytest)',
  run: async ({ output } = {}) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-pytest-'));
    const report = path.join(folder, 'report.xml');
    try {
      const ok = await execute(
        path.join(openProgramsDirectory, 'venv/bin/python'),
        ['-m', 'pytest', '-q', '-rs', '-n', '2', `--junitxml=${report}`, 'tests'],
        { cwd: path.join(checkout, 'docker/open-phenix'), output },
      );
      const xml = fs.existsSync(report) ? fs.readFileSync(report, 'utf8') : '';
      const count = (name) => Number(new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`).exec(xml)?.[1] ?? 0);
      const failed = count('failures') + count('errors');
      const skipped = [...xml.matchAll(/<testcase [^>]*name="([^"]+)"[^>]*><skipped [^>]*message="([^"]*)"/g)];
      return {
        ok,
        passed: count('tests') - failed - count('skipped'),
        failed,
        leftOut: skipped.map(([, file, why]) => ({ file, why })),
      };
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Their inputs: the kit, the knowledge (whose parameters they look up), the test data, and the Python that they were installed for. */
const kitInputs = () => ({
  folders: ['docker/open-phenix', 'knowledge', process.env.PHENIX_FLEET_TEST_DATA].filter(Boolean),
  facts: [answerOf(path.join(openProgramsDirectory, 'venv/bin/python'), ['-VV']), process.arch],
});

/** Imported late: a clean checkout reads this file before any package is installed. */
const openApiLint = {
  name: 'OpenAPI document',
  run: async () => {
    const { lintApi } = await import('./lint-api.mjs');
    return { ok: await lintApi() };
  },
};

const statics = [
  tool('types', 'tsc', '--noEmit', '-p', 'tsconfig.json'),
  tool('types of the dashboard', 'tsc', '-p', 'apps/dashboard/tsconfig.json'),
  tool('lint', 'oxlint', '--deny-warnings'),
  tool('format', 'prettier', '--check', '--log-level=warn', '.'),
  tool('boundaries', 'depcruise', 'apps', 'libs', 'test', '--config', '.dependency-cruiser.cjs'),
  tool('cycles of folders', 'depcruise', 'apps', 'libs', '--config', '.dependency-cruiser.folders.cjs'),
  tool('unused code', 'knip'),
  { name: 'licences', run: () => Promise.resolve({ ok: checkLicences() }) },
  openApiLint,
];

/** Parts of `npm test` by name, in execution order. */
export const parts = {
  static: statics,
  small: [jest('small')],
  medium: [jest('medium')],
  e2e: [jest('e2e')],
  kit: [unlessUnchanged(kitTests, 'open-programs', kitInputs)],
};

/** All parts in two lanes: the static checks run in parallel with the tests. */
export const lanes = ({ static: checks, ...tests }) => [Object.values(tests).flat(), checks ?? []];
