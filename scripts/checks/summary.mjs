// What a run of checks prints at its end: what was left out, what took how long, and the sum.

const seconds = (ms) => `${(ms / 1000).toFixed(0)} s`;

/** Files that took longer are named with their suite, in milliseconds. */
const slowMs = 20_000;

const testsOf = ({ passed, failed, leftOut }) =>
  [
    passed > 0 && `${passed} passed`,
    failed > 0 && `${failed} failed`,
    leftOut.length > 0 && `${leftOut.length} left out`,
  ]
    .filter(Boolean)
    .join(', ');

/** The three slowest in one piece: a suite is one line. */
const slowFiles = ({ slowest = [] }) => {
  const slow = slowest.filter(({ ms }) => ms > slowMs).slice(0, 3);
  return slow.length === 0 ? [] : [`slowest ${slow.map(({ file, ms }) => `${file} ${seconds(ms)}`).join(', ')}`];
};

/** A title and one line for each file with its reason; no line where there is no file. */
export const listOf = (title, all) =>
  all.length === 0 ? [] : ['', title, ...all.map(({ file, why }) => `  ${file}: ${why}`)];

/**
 * One line for each suite, then the whole run.
 * @param results of each its name, `ok`, `tookMs`, counts (`passed`, `failed`, `leftOut`), and where there are any a `note` and the
 *   `slowest` files
 * @param tookMs the whole run, set-up included
 */
export function timesOf(results, tookMs) {
  const sum = 'all together';
  const width = Math.max(sum.length, ...results.map(({ name }) => name.length));
  const time = (ms) => seconds(ms).padStart(7);
  const lines = results.map((result) => {
    const more = [testsOf(result), result.note, ...slowFiles(result)].filter(Boolean).join('; ');
    return `${result.ok ? 'ok    ' : 'FAILED'}  ${result.name.padEnd(width)}  ${time(result.tookMs)}  ${more}`.trimEnd();
  });
  return [...lines, `${' '.repeat(8)}${sum.padEnd(width)}  ${time(tookMs)}`];
}

/** The last line: a check that fails without a test of its own counts as one. */
export function sumOf(results) {
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  const brokenChecks = results.filter(({ ok, failed }) => !ok && failed === 0).length;
  const leftOut = results.flatMap((result) => result.leftOut);
  return `tests: ${total('passed')} passed, ${total('failed') + brokenChecks} failed, ${leftOut.length} skipped`;
}
