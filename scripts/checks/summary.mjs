// The summary of a run of checks: tests left out, durations, and totals.

const seconds = (ms) => `${(ms / 1000).toFixed(0)} s`;

/** Slower files are listed with their suite; milliseconds. */
const slowMs = 20_000;

const testsOf = ({ passed, failed, leftOut }) =>
  [
    passed > 0 && `${passed} passed`,
    failed > 0 && `${failed} failed`,
    leftOut.length > 0 && `${leftOut.length} left out`,
  ]
    .filter(Boolean)
    .join(', ');

/** The three slowest files as one text, because a suite has one line. */
const slowFiles = ({ slowest = [] }) => {
  const slow = slowest.filter(({ ms }) => ms > slowMs).slice(0, 3);
  return slow.length === 0 ? [] : [`slowest ${slow.map(({ file, ms }) => `${file} ${seconds(ms)}`).join(', ')}`];
};

/** A title, and one line with the reason for each file; no lines if there are no files. */
export const listOf = (title, all) =>
  all.length === 0 ? [] : ['', title, ...all.map(({ file, why }) => `  ${file}: ${why}`)];

/**
 * One line for each suite, then the whole run.
 * @param results for each suite its name, `ok`, `tookMs`, counts (`passed`, `failed`, `leftOut`), and optionally a `note` and the
 *   `slowest` files
 * @param tookMs duration of the whole run, set-up included
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

/** The last line of the summary. A failed check without tests counts as one failure. */
export function sumOf(results) {
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  const brokenChecks = results.filter(({ ok, failed }) => !ok && failed === 0).length;
  const leftOut = results.flatMap((result) => result.leftOut);
  return `tests: ${total('passed')} passed, ${total('failed') + brokenChecks} failed, ${leftOut.length} skipped`;
}
