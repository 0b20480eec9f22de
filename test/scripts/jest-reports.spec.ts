import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(__dirname, '../..');

/** What a function of scripts/checks/jest-reports.mjs gives, in a process of its own. */
const said = (call: string): unknown => {
  const text = `import * as reports from './scripts/checks/jest-reports.mjs'; process.stdout.write(JSON.stringify(reports.${call}));`;
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
  message,
  startTime: 1_000,
  endTime: 1_000 + statuses.length,
  assertionResults: statuses.map((status) => ({ status, fullName: `${name} does ${status}` })),
});
const report = (...files: object[]): string => JSON.stringify({ testResults: files });
const failure = '\u25cf the loop \u203a goes on\n\n  Connection is closed.\n\n    at close (redis.js:1:1)';

describe('what a run of Jest came to', () => {
  it('is counted from its report; a file that cannot even be loaded is one failure', () => {
    const first = report(
      file('a', ['passed', 'passed', 'pending']),
      file('b', ['failed', 'passed'], failure),
      file('c', [], 'x'),
    );
    expect(said(`countsOf([${first}], '/checkout')`)).toEqual({
      passed: 3,
      failed: 2,
      leftOut: [{ file: 'a does pending', why: 'marked as skipped in the code' }],
      slowest: [
        { file: 'test/a.spec.ts', ms: 3 },
        { file: 'test/b.spec.ts', ms: 2 },
        { file: 'test/c.spec.ts', ms: 0 },
      ],
      unsteady: [],
    });
    expect(said("countsOf([{}], '/checkout')")).toMatchObject({ passed: 0, failed: 0, unsteady: [] });
  });

  it('names a file that failed and passed alone, with what it said first; one that fails again stays failed', () => {
    const first = report(
      file('a', ['passed']),
      file('b', ['failed', 'passed'], failure),
      file('c', ['failed'], failure),
    );
    const second = report(file('b', ['passed', 'passed']), file('c', ['failed'], failure));
    expect(said(`countsOf([${first}, ${second}], '/checkout')`)).toMatchObject({
      passed: 3,
      failed: 1,
      unsteady: [{ file: 'test/b.spec.ts', why: 'the loop \u203a goes on: Connection is closed.' }],
    });
  });

  it('has another look at two files at most', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => file(name, ['failed'], failure)) as [object, object, object];
    const passed = file('d', ['passed']);
    expect(said(`worthAnotherLook(${report(passed)})`)).toEqual([]);
    expect(said(`worthAnotherLook(${report(a, passed, b)})`)).toEqual([
      '/checkout/test/a.spec.ts',
      '/checkout/test/b.spec.ts',
    ]);
    expect(said(`worthAnotherLook(${report(a, b, c)})`)).toEqual([]);
    expect(said('worthAnotherLook({})')).toEqual([]);
  });

  it('is kept of files of which every test ran and passed', () => {
    const files = report(
      file('a', ['passed', 'passed']),
      file('b', ['passed', 'pending']),
      file('c', ['failed']),
      file('d', []),
    );
    expect(said(`passedIn(${files}, '/checkout')`)).toEqual([{ file: 'test/a.spec.ts', passed: 2 }]);
  });
});
