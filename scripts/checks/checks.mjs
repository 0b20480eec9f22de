// Every check of the project, in the order in which a mistake shows soonest.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkout, openProgramsDirectory, projectNode, toolPath } from '../setup/paths.mjs';
import { leftOut } from './needs.mjs';

const environment = () => ({ ...process.env, PATH: toolPath(), FORCE_COLOR: '0' });

function execute(command, args, { cwd = checkout, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...environment(), ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
}

const nothing = { passed: 0, failed: 0, leftOut: [] };
const tool = (name, ...args) => ({
  name,
  run: async () => ({ ...nothing, ok: await execute(args[0], args.slice(1)) }),
});

/** Jest over one size of tests; files that this machine cannot run are left out and named. */
function jest(size) {
  const run = async () => {
    const skipped = leftOut(size);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-jest-'));
    const report = path.join(folder, 'report.json');
    const ignore = skipped.flatMap(({ file }) => ['--testPathIgnorePatterns', `/${file.replaceAll('.', '\\.')}$`]);
    try {
      const ok = await execute(
        projectNode(),
        [
          '--experimental-vm-modules',
          path.join(checkout, 'node_modules/jest/bin/jest.js'),
          '--json',
          '--outputFile',
          report,
          ...ignore,
        ],
        { env: { TEST_SIZE: size, NODE_NO_WARNINGS: '1' } },
      );
      const counts = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')) : {};
      const pending = (counts.testResults ?? []).flatMap((file) =>
        file.assertionResults
          .filter(({ status }) => ['pending', 'todo', 'skipped'].includes(status))
          .map(({ fullName }) => ({ file: fullName, why: 'marked as skipped in the code' })),
      );
      return {
        ok,
        passed: counts.numPassedTests ?? 0,
        failed: (counts.numFailedTests ?? 0) + (counts.numRuntimeErrorTestSuites ?? 0),
        leftOut: [...skipped, ...pending],
      };
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  };
  return { name: `${size} tests`, run };
}

/** pytest of the open programs, inside their own environment. */
const openPrograms = {
  name: 'open programs (pytest)',
  run: async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-pytest-'));
    const report = path.join(folder, 'report.xml');
    try {
      const ok = await execute(
        path.join(openProgramsDirectory, 'venv/bin/python'),
        ['-m', 'pytest', '-q', '-rs', `--junitxml=${report}`, 'tests'],
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

export const verifyChecks = [
  tool('format', 'prettier', '--check', '--log-level=warn', '.'),
  tool('types', 'tsc', '--noEmit', '-p', 'tsconfig.json'),
  tool('lint', 'eslint', '--max-warnings', '0', '.'),
  tool('boundaries', 'depcruise', 'apps', 'libs', 'test', '--config', '.dependency-cruiser.cjs'),
  tool('unused code', 'knip'),
  jest('small'),
  jest('medium'),
];

export const allChecks = [...verifyChecks, openPrograms, jest('e2e')];

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(0)} s`;

function conclude(results) {
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  const skipped = results.flatMap((result) => result.leftOut);
  process.stdout.write('\n');
  for (const { name, ok, took } of results) process.stdout.write(`${ok ? 'ok    ' : 'FAILED'}  ${name} (${took})\n`);
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
export async function runChecks(checks, { mayLeaveOut = true } = {}) {
  const results = [];
  for (const check of checks) {
    const start = Date.now();
    process.stdout.write(`\n── ${check.name}\n`);
    const result = await check.run();
    results.push({ name: check.name, took: seconds(start), ...result });
  }
  const { ok, skipped } = conclude(results);
  if (!mayLeaveOut && skipped.length > 0) {
    process.stdout.write('Nothing may be left out here (FLEET_TEST_REQUIRE_ALL=1).\n');
    return 1;
  }
  return ok ? 0 : 1;
}
