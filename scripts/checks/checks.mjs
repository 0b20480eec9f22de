// Every check of the project, in the order in which a mistake shows soonest.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { answerOf } from '../setup/commands.mjs';
import { checkout, openProgramsDirectory } from '../setup/paths.mjs';
import { execute } from './execute.mjs';
import { jest, lateJest } from './jest.mjs';
import { checkLicences } from './licences.mjs';
import { unlessUnchanged } from './unchanged.mjs';

/** A program that checks the checkout, and fails by its exit code. */
export const tool = (name, ...args) => ({
  name,
  run: async () => ({ ok: await execute(args[0], args.slice(1)) }),
});

/** pytest of the open programs, inside their own environment. */
const openPrograms = {
  name: 'open programs (pytest)',
  run: async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-pytest-'));
    const report = path.join(folder, 'report.xml');
    try {
      const ok = await execute(
        path.join(openProgramsDirectory, 'venv/bin/python'),
        ['-m', 'pytest', '-q', '-rs', '-n', '2', `--junitxml=${report}`, 'tests'],
        {
          cwd: path.join(checkout, 'docker/open-phenix'),
        },
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

/** All that they read: the kit, the knowledge (whose parameters they look up), the test data, and the Python that they were installed for. */
const openProgramsInputs = () => ({
  folders: ['docker/open-phenix', 'knowledge', process.env.PHENIX_FLEET_TEST_DATA].filter(Boolean),
  facts: [answerOf(path.join(openProgramsDirectory, 'venv/bin/python'), ['-VV']), process.arch],
});

/** Its packages are there only now: a clean checkout reads this file before it has any. */
const descriptionOfApi = {
  name: 'description of the API',
  run: async () => {
    const { lintApi } = await import('./lint-api.mjs');
    return { ok: await lintApi() };
  },
};

const statics = [
  tool('format', 'prettier', '--check', '--log-level=warn', '.'),
  tool('types', 'tsc', '--noEmit', '-p', 'tsconfig.json'),
  tool('types of the dashboard', 'tsc', '-p', 'apps/dashboard/tsconfig.json'),
  tool('lint', 'eslint', '--max-warnings', '0', '.'),
  tool('boundaries', 'depcruise', 'apps', 'libs', 'test', '--config', '.dependency-cruiser.cjs'),
  tool('unused code', 'knip'),
  { name: 'licences', run: () => Promise.resolve({ ok: checkLicences() }) },
  descriptionOfApi,
];

export const verifyChecks = [...statics, jest('small'), jest('medium')];

/** What needs no cluster first: the cluster is built meanwhile. */
export const checksWithoutCluster = [
  ...statics,
  jest('small', { deferLate: true }),
  jest('medium', { deferLate: true, secondLook: true, onceUnchanged: true }),
  unlessUnchanged(openPrograms, openProgramsInputs),
  jest('e2e', { deferLate: true, secondLook: true, onceUnchanged: true }),
];

export const checksOnCluster = [lateJest('small'), lateJest('medium'), lateJest('e2e')];
