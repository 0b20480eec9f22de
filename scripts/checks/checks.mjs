// Every check of the project, in the order in which a mistake shows soonest.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkout, openProgramsDirectory } from '../setup/paths.mjs';
import { execute } from './execute.mjs';
import { jest, lateJest } from './jest.mjs';

const nothing = { passed: 0, failed: 0, leftOut: [] };
/** A program that checks the checkout, and fails by its exit code. */
export const tool = (name, ...args) => ({
  name,
  run: async () => ({ ...nothing, ok: await execute(args[0], args.slice(1)) }),
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

const statics = [
  tool('format', 'prettier', '--check', '--log-level=warn', '.'),
  tool('types', 'tsc', '--noEmit', '-p', 'tsconfig.json'),
  tool('lint', 'eslint', '--max-warnings', '0', '.'),
  tool('boundaries', 'depcruise', 'apps', 'libs', 'test', '--config', '.dependency-cruiser.cjs'),
  tool('unused code', 'knip'),
];

export const verifyChecks = [...statics, jest('small'), jest('medium')];

/** What needs no cluster first: the cluster is built meanwhile. */
export const checksWithoutCluster = [
  ...statics,
  jest('small', { deferLate: true }),
  jest('medium', { deferLate: true }),
  openPrograms,
  jest('e2e', { deferLate: true }),
];

export const checksOnCluster = [lateJest('small'), lateJest('medium'), lateJest('e2e')];

const seconds = (ms) => `${(ms / 1000).toFixed(0)} s`;

function printTimes(results, begun) {
  process.stdout.write('\n');
  for (const { name, ok, tookMs, note, slowest = [] } of results) {
    process.stdout.write(`${ok ? 'ok    ' : 'FAILED'}  ${name} (${seconds(tookMs)}${note ? `; ${note}` : ''})\n`);
    for (const { file, ms } of slowest.filter((each) => each.ms > 20_000))
      process.stdout.write(`          ${seconds(ms).padStart(6)}  ${file}\n`);
  }
  process.stdout.write(`        all together ${seconds(Date.now() - begun)}\n`);
}

function conclude(results, begun) {
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  const skipped = results.flatMap((result) => result.leftOut);
  printTimes(results, begun);
  if (skipped.length > 0)
    process.stdout.write(
      `\nLeft out on this machine:\n${skipped.map(({ file, why }) => `  ${file}: ${why}\n`).join('')}`,
    );
  const brokenChecks = results.filter((result) => !result.ok && result.failed === 0).length;
  process.stdout.write(
    `\ntests: ${total('passed')} passed, ${total('failed') + brokenChecks} failed, ${skipped.length} skipped\n`,
  );
  return { ok: results.every((result) => result.ok), skipped };
}

/** Runs checks one after the other, all of them even when one fails. Gives the exit code. */
export async function runChecks(checks, { mayLeaveOut = true, begun = Date.now() } = {}) {
  const results = [];
  for (const check of checks) {
    const start = Date.now();
    process.stdout.write(`\n── ${check.name}\n`);
    const result = { ...nothing, ...(await check.run()) };
    results.push({ name: check.name, tookMs: Date.now() - start, ...result });
  }
  const { ok, skipped } = conclude(results, begun);
  if (!mayLeaveOut && skipped.length > 0) {
    process.stdout.write('Nothing may be left out here (FLEET_TEST_REQUIRE_ALL=1).\n');
    return 1;
  }
  return ok ? 0 : 1;
}
