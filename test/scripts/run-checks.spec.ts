import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(__dirname, '../..');

/** What checks come to in a process of their own; times are left out of what it printed. */
const ran = (checks: string, options = '{}') => {
  const text = `import { runChecks } from './scripts/checks/run-checks.mjs'; process.exitCode = await runChecks([${checks}], ${options});`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, lines: stdout.split('\n').map((line) => line.replace(/ +\d+ s\b/, ' TIME').trimEnd()), stderr };
};

const lint = "{ name: 'lint', run: async () => ({ ok: true }) }";
const broken = "{ name: 'the cluster', run: async () => { throw new Error('no room') } }";
const small = `{ name: 'small tests', run: async () => ({
  ok: false, passed: 7, failed: 1, leftOut: [{ file: 'test/a.spec.ts', why: 'no data' }],
  slowest: [{ file: 'test/b.spec.ts', ms: 30_000 }, { file: 'test/c.spec.ts', ms: 19_000 }] }) }`;

describe('what a run of checks prints at its end', () => {
  it('is one line a suite, as they ran, with how long it took and what became of its tests', () => {
    const { status, lines } = ran(`${lint}, ${small}`);
    expect(status).toBe(1);
    expect(lines.slice(lines.indexOf('Left out on this machine:'))).toEqual([
      'Left out on this machine:',
      '  test/a.spec.ts: no data',
      '',
      'ok      lint TIME',
      'FAILED  small tests TIME  7 passed, 1 failed, 1 left out; slowest test/b.spec.ts 30 s',
      '        all together TIME',
      '',
      'tests: 7 passed, 1 failed, 1 skipped',
      '',
    ]);
  });

  it('has the times of all when one cannot even run, and says why it could not', () => {
    const { status, lines, stderr } = ran(`${lint}, ${broken}, ${lint}`);
    expect(status).toBe(1);
    expect(stderr).toContain('no room');
    expect(lines.slice(-7)).toEqual([
      'ok      lint TIME',
      'FAILED  the cluster TIME',
      'ok      lint TIME',
      '        all together TIME',
      '',
      'tests: 0 passed, 1 failed, 0 skipped',
      '',
    ]);
  });

  it('names what was unsteady, and says so in its last line', () => {
    const unsteady = `{ name: 'medium tests', run: async () => ({
      ok: true, passed: 9, unsteady: [{ file: 'test/d.spec.ts', why: 'the loop goes on: Connection is closed.' }] }) }`;
    const { status, lines } = ran(unsteady);
    expect(status).toBe(0);
    expect(lines.slice(lines.findIndex((line) => line.startsWith('Unsteady')))).toEqual([
      'Unsteady, failed beside others and passed alone (a fault of the test or of the code; mend it):',
      '  test/d.spec.ts: the loop goes on: Connection is closed.',
      '',
      'ok      medium tests TIME  9 passed, 1 unsteady',
      '        all together TIME',
      '',
      'tests: 9 passed, 0 failed, 0 skipped, 1 unsteady',
      '',
    ]);
  });

  it('begins with the set-up where that took its time', () => {
    const { lines } = ran(lint, '{ begun: Date.now() - 61_000 }');
    expect(lines).toContain('ok      set-up TIME');
  });

  it('ends in a failure where nothing may be left out and something was', () => {
    const passing = small.replace('ok: false', 'ok: true').replace('failed: 1', 'failed: 0');
    expect(ran(passing).status).toBe(0);
    expect(ran(passing, '{ mayLeaveOut: false }').status).toBe(1);
  });
});
