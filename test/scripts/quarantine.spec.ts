import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(__dirname, '../..');

/** The result of `judge` (scripts/checks/quarantine.mjs) for one entry on 2026-11-20, from a process of its own. */
const judged = (entry: object): unknown => {
  const text = `import { judge } from './scripts/checks/quarantine.mjs';
    process.stdout.write(JSON.stringify(judge([${JSON.stringify(entry)}], '2026-11-20')));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
    cwd: root,
    encoding: 'utf8',
  });
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout);
};

const file = 'test/scripts/quarantine.spec.ts';
const entry = { file, message: 'Connection is closed.', since: '2026-11-10', until: '2026-11-20' };
const problem = (text: string): object => ({ files: [], problems: [`test/quarantine.json: ${file}: ${text}`] });

describe('the quarantine of tests', () => {
  it('takes a file out until its day, with the reason', () => {
    expect(judged(entry)).toEqual({
      files: [{ file, why: 'Connection is closed. (since 2026-11-10, until 2026-11-20)' }],
      problems: [],
    });
  });

  it.each([
    [
      'whose day has passed',
      { until: '2026-11-19' },
      'the quarantine ended on 2026-11-19: repair the test or delete it',
    ],
    ['of more than fourteen days', { until: '2026-11-25' }, 'until: at most 14 days after since'],
    ['without a message', { message: '' }, 'message: what the test printed when it failed'],
    ['with another form of date', { since: 'today' }, 'since and until: days as 2026-11-26'],
  ])('fails for an entry %s', (_, change, text) => {
    expect(judged({ ...entry, ...change })).toEqual(problem(text));
  });

  it('fails for a file that does not exist', () => {
    expect(judged({ ...entry, file: 'test/gone.spec.ts' })).toEqual({
      files: [],
      problems: ['test/quarantine.json: test/gone.spec.ts: file: no such test file'],
    });
  });
});
