import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { useFolder } from '@fleet/testing';

const root = resolve(__dirname, '../..');

describe('a check whose inputs are known', () => {
  const home = useFolder();
  const input = join(home, 'input');
  beforeEach(() => {
    mkdirSync(join(input, '__pycache__'), { recursive: true });
    writeFileSync(join(input, 'a.py'), 'one');
  });

  /** What one run of it comes to, in a process of its own. */
  const outcome = (what = '{ ok: true, passed: 7, leftOut: [] }', facts = "['3.12']", env: object = {}) => {
    const text = `import { unlessUnchanged } from './scripts/checks/unchanged.mjs';
      const check = { name: 'programs (pytest)', run: () => Promise.resolve(${what}) };
      const inputs = () => ({ folders: [${JSON.stringify(input)}], facts: ${facts} });
      process.stdout.write(JSON.stringify(await unlessUnchanged(check, 'programs', inputs).run()));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, XDG_CACHE_HOME: home, ...env },
    });
    if (stderr !== '') throw new Error(stderr);
    return JSON.parse(stdout) as { ok: boolean; passed?: number; note?: string };
  };

  it('is run once, and then named with what it came to', () => {
    expect(outcome().passed).toBe(7);
    const again = outcome();
    expect(again).toMatchObject({ ok: true, note: expect.stringContaining('since 7 passed on 20') as string });
    expect(again.passed).toBeUndefined();
  });

  it('is run again for another content, name, or fact, but not for what Python leaves', () => {
    outcome();
    writeFileSync(join(input, '__pycache__', 'a.pyc'), 'compiled');
    expect(outcome().passed).toBeUndefined();
    writeFileSync(join(input, 'b.py'), '');
    expect(outcome().passed).toBe(7);
    writeFileSync(join(input, 'a.py'), 'two');
    expect(outcome().passed).toBe(7);
    expect(outcome(undefined, "['3.13']").passed).toBe(7);
  });

  it('is run again where it failed, left something out, or somebody asks for it', () => {
    const failing = '{ ok: false, passed: 6, failed: 1, leftOut: [] }';
    expect([outcome(failing).passed, outcome(failing).passed]).toEqual([6, 6]);
    const partly = "{ ok: true, passed: 6, leftOut: [{ file: 'x', why: 'no data' }] }";
    expect([outcome(partly).passed, outcome(partly).passed]).toEqual([6, 6]);
    outcome();
    expect(outcome(undefined, undefined, { FLEET_TEST_AGAIN: '1' }).passed).toBe(7);
  });
});
