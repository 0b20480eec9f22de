import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attemptFiles } from '@fleet/contracts';
import { eventually, LocalRuns, processesOf, publishedFolder } from '@fleet/testing';

const runs = new LocalRuns();
const sh = (script: string): readonly string[] => ['/bin/sh', '-c', script];

afterAll(() => runs.dispose());

describe('children of a program', () => {
  const escape = `setsid sh -c 'sleep 500 & sleep 501' & sleep 0.2`;

  it('do not outlive it, whatever group they moved to', async () => {
    const spec = runs.aSpec(sh(`${escape}; sleep 0.5`));
    const backend = runs.aBackend();
    await backend.ensure(spec);
    await eventually('the escaped child', () => processesOf(spec).length >= 4);
    expect(await runs.endOf(backend, spec)).toMatchObject({ kind: 'exited', exitCode: 0 });
    await eventually('the end of all processes', () => processesOf(spec).length === 0);
  });

  it('are ended by a cancel too, those with an empty environment included', async () => {
    const spec = runs.aSpec(sh(`env -i setsid sh -c 'exec sleep 502' & ${escape}; sleep 600`));
    const backend = runs.aBackend();
    await backend.ensure(spec);
    await sleep(1_500);
    expect(processesOf(spec).length).toBeGreaterThan(3);
    await backend.cancel(spec);
    expect(processesOf(spec)).toEqual([]);
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('sleep 502');
    expect(await runs.endOf(backend, spec)).toMatchObject({ kind: 'cancelled', infrastructure: false });
  });
});

describe('cancel', () => {
  it('of a run that never started keeps it from ever starting', async () => {
    const spec = runs.aSpec(sh('echo must not run'));
    const backend = runs.aBackend();
    await backend.cancel(spec);
    await backend.cancel(spec);
    expect(await backend.ensure(spec)).toMatchObject({ state: 'ended', ending: { kind: 'cancelled' } });
    expect(existsSync(join(publishedFolder(spec), attemptFiles.log))).toBe(false);
  });

  it('at the moment of the start leaves no process, whoever wins', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const spec = runs.aSpec(sh('sleep 600'));
      const started = runs.aBackend().ensure(spec);
      await sleep(turn * 30);
      await runs.aBackend().cancel(spec);
      await started;
      await runs.aBackend().cancel(spec);
      await eventually('the end of all processes', () => processesOf(spec).length === 0);
      expect(await runs.aBackend().ensure(spec)).toMatchObject({ state: 'ended', ending: { kind: 'cancelled' } });
    }
  });

  it('of an ended run changes nothing', async () => {
    const spec = runs.aSpec(sh('true'));
    const backend = runs.aBackend();
    await runs.endOf(backend, spec);
    await backend.cancel(spec);
    expect(await backend.ensure(spec)).toMatchObject({ ending: { kind: 'exited' } });
  });
});
