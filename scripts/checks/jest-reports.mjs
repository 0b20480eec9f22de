// Counts from Jest's JSON report.
import path from 'node:path';

const failed = ({ status }) => status === 'failed';

/**
 * @param report the JSON report of one run
 * @param root folder that file names are relative to
 * @returns counts, the tests that the code skips (`leftOut`), and the five slowest files
 */
export function countsOf({ testResults: results = [] }, root) {
  const tests = results.flatMap((result) => result.assertionResults);
  const of = (...statuses) => tests.filter(({ status }) => statuses.includes(status));
  const broken = results.filter((result) => failed(result) && !result.assertionResults.some(failed));
  const slowest = results
    .map(({ name, startTime, endTime }) => ({ file: path.relative(root, name), ms: endTime - startTime }))
    .toSorted((one, other) => other.ms - one.ms);
  return {
    passed: of('passed').length,
    failed: of('failed').length + broken.length,
    leftOut: of('pending', 'todo', 'skipped').map(({ fullName }) => ({ file: fullName, why: 'skipped in the code' })),
    slowest: slowest.slice(0, 5),
  };
}
