import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(__dirname, '../..');

/** The result of `countsOf` (scripts/checks/jest-reports.mjs), from a process of its own. */
const countsOf = (report: object): unknown => {
  const text = `import { countsOf } from './scripts/checks/jest-reports.mjs';
    process.stdout.write(JSON.stringify(countsOf(${JSON.stringify(report)}, '/checkout')));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
    cwd: root,
    encoding: 'utf8',
  });
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout);
};

const file = (name: string, statuses: readonly string[], message = ''): object => ({
  name: `/checkout/test/${name}.spec.ts`,
  status: statuses.includes('failed') || message !== '' ? 'failed' : 'passed',
  startTime: 1_000,
  endTime: 1_000 + statuses.length,
  assertionResults: statuses.map((status) => ({ status, fullName: `${name} does ${status}` })),
});

describe('the counts of a run of Jest', () => {
  it('come from its report; a file that cannot be loaded is one failure', () => {
    const testResults = [
      file('a', ['passed', 'passed', 'pending']),
      file('b', ['failed', 'passed']),
      file('c', [], 'SyntaxError'),
    ];
    expect(countsOf({ testResults })).toEqual({
      passed: 3,
      failed: 2,
      leftOut: [{ file: 'a does pending', why: 'skipped in the code' }],
      slowest: [
        { file: 'test/a.spec.ts', ms: 3 },
        { file: 'test/b.spec.ts', ms: 2 },
        { file: 'test/c.spec.ts', ms: 0 },
      ],
    });
  });

  it('are zero where there is no report', () => {
    expect(countsOf({})).toEqual({ passed: 0, failed: 0, leftOut: [], slowest: [] });
  });
});
