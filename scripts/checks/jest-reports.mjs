// What Jest's JSON reports say: counts, files that failed, and files that failed once and passed when they ran alone.
import path from 'node:path';

/** More files than these that fail are no unsteadiness of the machine. */
const unsteadyAtMost = 2;

const failed = ({ status }) => status === 'failed';
const place = (root, { name }) => path.relative(root, name);
const why = ({ message }) => {
  const lines = message.split('\n').map((line) => line.trim());
  const from = lines.findIndex((line) => line.startsWith('●'));
  return lines.slice(Math.max(from, 0)).filter(Boolean).slice(0, 2).join(': ').replace(/^● /, '');
};

/**
 * The files that failed, where they are few enough to look at again.
 * @param report a JSON report of Jest
 * @returns absolute paths; none where nothing failed, or too much
 */
export function worthAnotherLook({ testResults = [] }) {
  const files = testResults.filter(failed).map(({ name }) => name);
  return files.length > unsteadyAtMost ? [] : files;
}

/**
 * The counts of all reports together; of a file that ran twice the second time counts.
 * @param reports JSON reports of Jest, in the order in which they were made
 * @param root file names are given from here
 */
export function countsOf(reports, root) {
  const files = new Map(reports.flatMap(({ testResults = [] }) => testResults).map((result) => [result.name, result]));
  const results = [...files.values()];
  const tests = results.flatMap((result) => result.assertionResults);
  const of = (...statuses) => tests.filter(({ status }) => statuses.includes(status));
  const broken = results.filter((result) => failed(result) && !result.assertionResults.some(failed));
  const slowest = results
    .map((result) => ({ file: place(root, result), ms: result.endTime - result.startTime }))
    .toSorted((one, other) => other.ms - one.ms);
  return {
    passed: of('passed').length,
    failed: of('failed').length + broken.length,
    leftOut: of('pending', 'todo', 'skipped').map(({ fullName }) => ({
      file: fullName,
      why: 'marked as skipped in the code',
    })),
    slowest: slowest.slice(0, 5),
    unsteady: (reports[0]?.testResults ?? [])
      .filter((result) => failed(result) && !failed(files.get(result.name)))
      .map((result) => ({ file: place(root, result), why: why(result) })),
  };
}

/**
 * The files of which every test ran and passed.
 * @param report a JSON report of Jest
 * @param root file names are given from here
 */
export function passedIn({ testResults = [] }, root) {
  const whole = ({ assertionResults: tests }) => tests.length > 0 && tests.every(({ status }) => status === 'passed');
  return testResults
    .filter((result) => !failed(result) && whole(result))
    .map((result) => ({ file: place(root, result), passed: result.assertionResults.length }));
}
