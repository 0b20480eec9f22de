import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(__dirname, '../..');

/** A run of lanes in a process of its own; durations are left out of what it printed. */
const ran = (lanes: string, options = '{}') => {
  const text = `import { runChecks } from './scripts/checks/run-checks.mjs';
    import { tool } from './scripts/checks/checks.mjs';
    process.exitCode = await runChecks(${lanes}, ${options});`;
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

describe('the end of a run of checks', () => {
  it('is one line for each, with its duration and the counts of its tests', () => {
    const { status, lines } = ran(`[[${lint}, ${small}]]`);
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

  it('has every check when one cannot even run, with the reason', () => {
    const { status, lines, stderr } = ran(`[[${lint}, ${broken}, ${lint}]]`);
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

  it('has the checks of a side lane first, and fails when one of them fails; its output is in one piece', () => {
    const failing = "tool('format', process.execPath, '-e', 'console.log(1); console.log(2); process.exit(1)')";
    const { status, lines } = ran(`[[${lint}], [${failing}]]`);
    expect(status).toBe(1);
    const from = lines.indexOf('── format: FAILED');
    expect(lines.slice(from, from + 3)).toEqual(['── format: FAILED', '1', '2']);
    expect(lines.slice(-6, -3)).toEqual(['FAILED  format TIME', 'ok      lint TIME', '        all together TIME']);
  });

  it('begins with the set-up where that took a while', () => {
    const { lines } = ran(`[[${lint}]]`, '{ begun: Date.now() - 61_000 }');
    expect(lines).toContain('ok      set-up TIME');
  });

  it('is a failure where nothing may be left out and something was', () => {
    const passing = small.replace('ok: false', 'ok: true').replace('failed: 1', 'failed: 0');
    expect(ran(`[[${passing}]]`).status).toBe(0);
    expect(ran(`[[${passing}]]`, '{ mayLeaveOut: false }').status).toBe(1);
  });
});
