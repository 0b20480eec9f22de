// Runs checks one after the other, and says at the end what each of them came to.
import { report } from '../setup/progress.mjs';
import { leftOutOf, sumOf, timesOf, unsteadyOf } from './summary.mjs';

/** What a check says of itself where it has no tests. */
const nothing = { passed: 0, failed: 0, leftOut: [] };

/** A check that throws has failed; the others run all the same. */
async function outcomeOf(check) {
  try {
    return { ...nothing, ...(await check.run()) };
  } catch (error) {
    report(error);
    return { ...nothing, ok: false };
  }
}

const print = (lines) => process.stdout.write(lines.map((line) => `${line}\n`).join(''));

/**
 * Runs all of them even when one fails. Gives the exit code.
 * @param begun when the set-up before them began, in milliseconds since 1970
 */
export async function runChecks(checks, { mayLeaveOut = true, begun = Date.now() } = {}) {
  const start = Date.now();
  const results = start - begun < 1000 ? [] : [{ ...nothing, name: 'set-up', ok: true, tookMs: start - begun }];
  for (const check of checks) {
    const from = Date.now();
    print(['', `── ${check.name}`]);
    const outcome = await outcomeOf(check);
    results.push({ name: check.name, tookMs: Date.now() - from, ...outcome });
  }
  print([
    ...leftOutOf(results),
    ...unsteadyOf(results),
    '',
    ...timesOf(results, Date.now() - begun),
    '',
    sumOf(results),
  ]);
  if (!mayLeaveOut && results.some(({ leftOut }) => leftOut.length > 0)) {
    print(['Nothing may be left out here (FLEET_TEST_REQUIRE_ALL=1).']);
    return 1;
  }
  return results.every(({ ok }) => ok) ? 0 : 1;
}
