// Jest as a check: one size of tests at a time; files that this machine cannot run are left out and named.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkout, projectNode } from '../setup/paths.mjs';
import { execute } from './execute.mjs';
import { countsOf, worthAnotherLook } from './jest-reports.mjs';
import { testFiles } from './needs.mjs';

const jestProgram = path.join(checkout, 'node_modules/jest/bin/jest.js');

/** One run of Jest: whether all passed, and its report. */
async function ranJest(args, env) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-jest-'));
  const file = path.join(folder, 'report.json');
  const line = ['--experimental-vm-modules', jestProgram, '--json', '--outputFile', file, ...args];
  try {
    const ok = await execute(projectNode(), line, { env });
    return { ok, report: fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {} };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param secondLook whether one or two files that failed run once more, alone. The suites with real processes, kills and clusters fill
 *   the machine for most of an hour; what passes alone is named as unsteady at the end, and wants to be mended all the same.
 */
async function runJest(size, { args, env, secondLook = false }, skipped) {
  const environment = { TEST_SIZE: size, NODE_NO_WARNINGS: '1', ...env };
  const first = await ranJest(args, environment);
  const again = secondLook && !first.ok ? worthAnotherLook(first.report) : [];
  const runs = [first];
  if (again.length > 0) {
    process.stdout.write(
      `\nOnce more, alone:\n${again.map((file) => `  ${path.relative(checkout, file)}\n`).join('')}\n`,
    );
    runs.push(await ranJest(['--runInBand', '--runTestsByPath', ...again], environment));
  }
  const { leftOut, ...counts } = countsOf(
    runs.map(({ report }) => report),
    checkout,
  );
  return { ok: runs.at(-1).ok, ...counts, leftOut: [...skipped, ...leftOut] };
}

const without = (files) =>
  files.flatMap(({ file }) => ['--testPathIgnorePatterns', `/${file.replaceAll('.', '\\.')}$`]);

const notes = (files) => files.map(({ file, missing }) => ({ file, why: missing.join('; ') }));

/**
 * All test files of a size. `deferLate`: those that need the cluster or its tools run later, under `lateJest`; they are
 * neither run nor named here. `secondLook`: see `runJest`.
 */
export const jest = (size, { deferLate = false, secondLook = false } = {}) => ({
  name: `${size} tests`,
  run: () => {
    const files = testFiles(size);
    const deferred = deferLate ? files.filter(({ late }) => late) : [];
    const lacking = files.filter((file) => file.missing.length > 0 && !deferred.includes(file));
    return runJest(size, { args: without([...deferred, ...lacking]), secondLook }, notes(lacking));
  },
});

/** The tests of a size that lead to one of the files; all of them where no file is named. */
export const relatedJest = (size, files) => ({
  name: `${size} tests${files.length === 0 ? '' : ' of what changed'}`,
  run: () => {
    const lacking = testFiles(size).filter(({ missing }) => missing.length > 0);
    const related = files.length === 0 ? [] : ['--passWithNoTests', '--findRelatedTests', ...files];
    return runJest(size, { args: [...without(lacking), ...related] }, notes(lacking));
  },
});

/** The files of a size that were deferred, one after the other: they share one cluster, and some stop its parts. */
export const lateJest = (size) => ({
  name: `${size} tests on the cluster`,
  run: async () => {
    const files = testFiles(size).filter(({ late }) => late);
    const lacking = files.filter(({ missing }) => missing.length > 0);
    const able = files.filter((file) => !lacking.includes(file)).map(({ file }) => file);
    if (able.length === 0) return { ok: true, passed: 0, failed: 0, leftOut: notes(lacking) };
    const args = ['--runInBand', '--runTestsByPath', ...able];
    return runJest(size, { args, secondLook: true }, notes(lacking));
  },
});
