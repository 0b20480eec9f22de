// Jest as a check: one size of tests at a time; files that this machine cannot run are left out and named.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkout, projectNode } from '../setup/paths.mjs';
import { execute } from './execute.mjs';
import { countsOf } from './jest-reports.mjs';
import { testFiles } from './needs.mjs';
import { quarantine } from './quarantine.mjs';

const jestProgram = path.join(checkout, 'node_modules/jest/bin/jest.js');

/** Runs Jest once and returns whether all tests passed, with its report. */
async function runJest(size, args, { env = {}, output }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-jest-'));
  const file = path.join(folder, 'report.json');
  const line = ['--experimental-vm-modules', jestProgram, '--json', '--outputFile', file, ...args];
  try {
    const ok = await execute(projectNode(), line, {
      env: { TEST_SIZE: size, NODE_NO_WARNINGS: '1', ...env },
      output,
    });
    return { ok, report: fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {} };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const without = (files) =>
  files.flatMap(({ file }) => ['--testPathIgnorePatterns', `/${file.replaceAll('.', '\\.')}$`]);

/**
 * The test files of a size.
 * @param options.name what the summary calls the check
 * @param options.only files of the checkout to which the run is limited
 * @param options.args more arguments for Jest
 * @param options.env more variables
 */
export const jest = (size, { name = `${size} tests`, only, args = [], env } = {}) => ({
  name,
  run: async ({ output } = {}) => {
    const files = testFiles(size).filter(({ file }) => only === undefined || only.includes(file));
    const lacking = files.filter(({ missing }) => missing.length > 0);
    const able = files.filter((file) => !lacking.includes(file)).map(({ file }) => file);
    const leftOut = lacking.map(({ file, missing }) => ({ file, why: missing.join('; ') }));
    if (able.length === 0) return { ok: true, leftOut };
    const chosen = only === undefined ? without([...lacking, ...quarantine().files]) : ['--runTestsByPath', ...able];
    const { ok, report } = await runJest(size, [...args, ...chosen], { env, output });
    const counts = countsOf(report, checkout);
    return { ok, ...counts, leftOut: [...leftOut, ...counts.leftOut] };
  },
});

/** The small tests that import one of the files, directly or not. */
export const relatedJest = (files) => ({
  name: 'small tests of what changed',
  run: async ({ output } = {}) => {
    const lacking = testFiles('small').filter(({ missing }) => missing.length > 0);
    const related = ['--passWithNoTests', '--findRelatedTests', ...files];
    const { ok, report } = await runJest('small', [...without([...lacking, ...quarantine().files]), ...related], {
      output,
    });
    return { ok, ...countsOf(report, checkout) };
  },
});
