// Runs checks in lanes and prints a summary of their outcomes.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { report } from '../setup/progress.mjs';
import { quarantine } from './quarantine.mjs';
import { listOf, sumOf, timesOf } from './summary.mjs';

/** The outcome of a check that counts no tests. */
const nothing = { passed: 0, failed: 0, leftOut: [] };

const print = (lines) => process.stdout.write(lines.map((line) => `${line}\n`).join(''));

/** Turns an exception of a check into a failure, so that the other checks still run. */
async function outcomeOf(check, output) {
  try {
    return { ...nothing, ...(await check.run({ output })) };
  } catch (error) {
    report(error);
    return { ...nothing, ok: false };
  }
}

/** Prints the output of a check in a side lane in one piece after the check has ended. */
async function aside(check) {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-check-')), 'output');
  const output = fs.openSync(file, 'a');
  try {
    return { ...(await outcomeOf(check, output)), text: fs.readFileSync(file, 'utf8') };
  } finally {
    fs.closeSync(output);
    fs.rmSync(path.dirname(file), { recursive: true });
  }
}

async function runLane(checks, isSide) {
  const results = [];
  for (const check of checks) {
    const from = Date.now();
    if (!isSide) print(['', `── ${check.name}`]);
    const { text = '', ...outcome } = isSide ? await aside(check) : await outcomeOf(check, 'inherit');
    if (isSide) print(['', `── ${check.name}: ${outcome.ok ? 'ok' : 'FAILED'}`, ...(text === '' ? [] : [text])]);
    results.push({ name: check.name, tookMs: Date.now() - from, ...outcome });
  }
  return results;
}

/**
 * Runs all checks, even if one fails.
 * @param lanes lists of checks: the first prints to the terminal, the others run in parallel
 * @param options.mayLeaveOut whether a run can pass if this machine could not run some tests
 * @param options.begun when the set-up began, in milliseconds since 1970
 * @returns the exit code
 */
export async function runChecks(lanes, { mayLeaveOut = true, begun = Date.now() } = {}) {
  const start = Date.now();
  const setUp = start - begun < 1000 ? [] : [{ ...nothing, name: 'set-up', ok: true, tookMs: start - begun }];
  const done = await Promise.all(lanes.map((checks, lane) => runLane(checks, lane > 0)));
  const results = [...setUp, ...done.toReversed().flat()];
  const { files, problems } = quarantine();
  const leftOut = results.flatMap((result) => result.leftOut);
  print([
    ...listOf('Left out on this machine:', leftOut),
    ...listOf('In quarantine (test/quarantine.json), not run:', files),
    '',
    ...timesOf(results, Date.now() - begun),
    ...problems,
    '',
    sumOf(results),
  ]);
  if (!mayLeaveOut && leftOut.length > 0) {
    print(['Nothing may be left out here (FLEET_TEST_REQUIRE_ALL=1).']);
    return 1;
  }
  return problems.length === 0 && results.every(({ ok }) => ok) ? 0 : 1;
}
