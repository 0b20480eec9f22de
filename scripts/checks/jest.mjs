// Jest as a check: one size of tests at a time; files that this machine cannot run are left out and named.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkout, projectNode } from '../setup/paths.mjs';
import { execute } from './execute.mjs';
import { countsOf, passedIn, worthAnotherLook } from './jest-reports.mjs';
import { testFiles } from './needs.mjs';
import { passedFiles } from './passed-files.mjs';

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
async function runJest(size, { args, env, secondLook = false, remember }, skipped) {
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
  for (const { file, passed } of passedIn(first.report, checkout)) remember?.(file, passed);
  const { leftOut, ...counts } = countsOf(
    runs.map(({ report }) => report),
    checkout,
  );
  return { ok: runs.at(-1).ok, ...counts, leftOut: [...skipped, ...leftOut] };
}

const without = (files) =>
  files.flatMap(({ file }) => ['--testPathIgnorePatterns', `/${file.replaceAll('.', '\\.')}$`]);

const notes = (files) => files.map(({ file, missing }) => ({ file, why: missing.join('; ') }));

/** Those that need not run, by name, and what the check's line says of them. */
function toldBefore(before) {
  if (before.length === 0) return undefined;
  process.stdout.write(
    `Passed before, with all that they can read as it is now (FLEET_TEST_AGAIN=1 runs them):\n${before
      .map(({ file, passed, on }) => `  ${file}: ${passed} on ${on}\n`)
      .join('')}\n`,
  );
  const tests = before.reduce((sum, { passed }) => sum + passed, 0);
  return `${tests} more in ${before.length} files passed before, and nothing that they read has changed`;
}

/** Runs those of these files that have to; `argsOf` makes of them what Jest is told. */
async function runFiles(size, files, argsOf, { secondLook, skipped }) {
  const { before, remember } = passedFiles(files);
  const note = toldBefore(before);
  const known = new Set(before.map(({ file }) => file));
  const rest = files.filter(({ file }) => !known.has(file));
  const outcome =
    rest.length === 0
      ? { ok: true, passed: 0, failed: 0, leftOut: skipped }
      : await runJest(size, { args: argsOf(rest, before), secondLook, remember }, skipped);
  return { ...outcome, ...(note !== undefined && { note }) };
}

/**
 * All test files of a size. `deferLate`: those that need the cluster or its tools run later, under `lateJest`; they are
 * neither run nor named here. `secondLook`: see `runJest`. `onceUnchanged`: those that passed before with all that they can read are
 * named and not run.
 */
export const jest = (size, { deferLate = false, secondLook = false, onceUnchanged = false } = {}) => ({
  name: `${size} tests`,
  run: () => {
    const files = testFiles(size);
    const deferred = deferLate ? files.filter(({ late }) => late) : [];
    const lacking = files.filter((file) => file.missing.length > 0 && !deferred.includes(file));
    const left = [...deferred, ...lacking];
    if (!onceUnchanged) return runJest(size, { args: without(left), secondLook }, notes(lacking));
    const able = files.filter((file) => !left.includes(file));
    const argsOf = (_, before) => without([...left, ...before]);
    return runFiles(size, able, argsOf, { secondLook, skipped: notes(lacking) });
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

/**
 * The files of a size that were deferred, one after the other: they share one cluster, and some stop its parts. Those that passed
 * before with all that they can read are named and not run.
 */
export const lateJest = (size) => ({
  name: `${size} tests on the cluster`,
  run: async () => {
    const files = testFiles(size).filter(({ late }) => late);
    const lacking = files.filter(({ missing }) => missing.length > 0);
    const able = files.filter((file) => !lacking.includes(file));
    const argsOf = (rest) => ['--runInBand', '--runTestsByPath', ...rest.map(({ file }) => file)];
    return runFiles(size, able, argsOf, { secondLook: true, skipped: notes(lacking) });
  },
});
