// Jest as a check: one size of tests at a time; files that this machine cannot run are left out and named.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkout, projectNode } from '../setup/paths.mjs';
import { execute } from './execute.mjs';
import { testFiles } from './needs.mjs';

const jestProgram = path.join(checkout, 'node_modules/jest/bin/jest.js');

function outcome(ok, report, skipped) {
  const counts = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')) : {};
  const pending = (counts.testResults ?? []).flatMap((file) =>
    file.assertionResults
      .filter(({ status }) => ['pending', 'todo', 'skipped'].includes(status))
      .map(({ fullName }) => ({ file: fullName, why: 'marked as skipped in the code' })),
  );
  const slowest = (counts.testResults ?? [])
    .map(({ name, startTime, endTime }) => ({ file: path.relative(checkout, name), ms: endTime - startTime }))
    .toSorted((one, other) => other.ms - one.ms);
  return {
    ok,
    passed: counts.numPassedTests ?? 0,
    failed: (counts.numFailedTests ?? 0) + (counts.numRuntimeErrorTestSuites ?? 0),
    leftOut: [...skipped, ...pending],
    slowest: slowest.slice(0, 5),
  };
}

async function runJest(size, { args, env }, skipped) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-jest-'));
  const report = path.join(folder, 'report.json');
  const line = ['--experimental-vm-modules', jestProgram, '--json', '--outputFile', report, ...args];
  try {
    const ok = await execute(projectNode(), line, { env: { TEST_SIZE: size, NODE_NO_WARNINGS: '1', ...env } });
    return outcome(ok, report, skipped);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const without = (files) =>
  files.flatMap(({ file }) => ['--testPathIgnorePatterns', `/${file.replaceAll('.', '\\.')}$`]);

const notes = (files) => files.map(({ file, missing }) => ({ file, why: missing.join('; ') }));

/**
 * All test files of a size. `deferLate`: those that need the cluster or its tools run later, under `lateJest`; they are
 * neither run nor named here.
 */
export const jest = (size, { deferLate = false } = {}) => ({
  name: `${size} tests`,
  run: () => {
    const files = testFiles(size);
    const deferred = deferLate ? files.filter(({ late }) => late) : [];
    const lacking = files.filter((file) => file.missing.length > 0 && !deferred.includes(file));
    return runJest(size, { args: without([...deferred, ...lacking]) }, notes(lacking));
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
    return runJest(size, { args: ['--runInBand', '--runTestsByPath', ...able] }, notes(lacking));
  },
});
