import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRun } from '@fleet/attempt-runner';
import { attemptFiles } from '@fleet/contracts/runs';
import { eventually, LocalRuns, processesOf, publishedFolder, runningFolder } from '@fleet/testing';

const runs = new LocalRuns();
const sh = (script: string): readonly string[] => ['/bin/sh', '-c', script];

afterAll(() => runs.dispose());

/** Empty if the file is missing, or its process is ending. */
const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

describe('children of a program', () => {
  const escape = `setsid sh -c 'sleep 500 & sleep 501' &`;

  it('do not outlive it, whatever process group they moved to', async () => {
    const spec = runs.aSpec(sh(`${escape} until [ -e ../../go ]; do sleep 0.05; done`));
    const backend = runs.aBackend();
    await backend.ensure(spec);
    await eventually('the escaped children', () => processesOf(spec).length >= 5);
    writeFileSync(join(spec.sessionFolder, 'go'), '');
    expect(await runs.endOf(backend, spec)).toMatchObject({ kind: 'exited', exitCode: 0 });
    await eventually('the end of all processes', () => processesOf(spec).length === 0);
  });

  it('are ended by a cancel too, even with an empty environment', async () => {
    const bare = `env -i setsid /bin/sh -c 'echo $$ > bare; exec sleep 502'`;
    const spec = runs.aSpec(sh(`${bare} & ${escape} sleep 600`));
    const backend = runs.aBackend();
    await backend.ensure(spec);
    // The supervisor, the program, its shell, and three `sleep` processes.
    await eventually('all children', () => processesOf(spec).length >= 6);
    const pid = await eventually('the bare one', () => textOf(join(runningFolder(spec), 'bare')) || undefined);
    expect(pid).toMatch(/^\d+\n$/);
    await backend.cancel(spec);
    // A killed process stays in /proc until the kernel has removed it.
    const isOver = (): boolean => processesOf(spec).length === 0 && textOf(`/proc/${pid.trim()}/cmdline`) === '';
    await eventually('the end of all processes', isOver);
    expect(await runs.endOf(backend, spec)).toMatchObject({ kind: 'cancelled', infrastructure: false });
  });
});

describe('cancel', () => {
  it('of a run that never started prevents its start', async () => {
    const spec = runs.aSpec(sh('echo must not run'));
    const backend = runs.aBackend();
    await backend.cancel(spec);
    await backend.cancel(spec);
    expect(await backend.ensure(spec)).toMatchObject({ state: 'ended', ending: { kind: 'cancelled' } });
    expect(existsSync(join(publishedFolder(spec), attemptFiles.log))).toBe(false);
  });

  it('at the moment of the start leaves no process, whichever wins', async () => {
    const moments: readonly ((folder: string) => boolean)[] = [
      () => true,
      existsSync,
      (folder) => readRun(folder) !== undefined,
      (folder) => readRun(folder)?.program !== undefined,
    ];
    for (const moment of moments) {
      const spec = runs.aSpec(sh('sleep 600'));
      const started = runs.aBackend().ensure(spec);
      await eventually('the moment', () => moment(runningFolder(spec)));
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
