import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, readRun, type RunRecord } from '@fleet/attempt-runner';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import { eventually, LocalRuns, logOf, processesOf, publishedFolder, runningFolder } from '@fleet/testing';
import type { LocalBackend } from './local-backend';

const runs = new LocalRuns();
const sh = (script: string): readonly string[] => ['/bin/sh', '-c', script];

/** Starts a run and waits until its program is running. */
const started = async (backend: LocalBackend, spec: RunSpec): Promise<RunRecord> => {
  await backend.ensure(spec);
  return eventually('the program', () => {
    const seen = readRun(runningFolder(spec));
    return seen?.program === undefined ? undefined : seen;
  });
};

afterAll(() => runs.dispose());

describe('after a crash', () => {
  it('a new backend adopts a run of a dead one, and reports its end', async () => {
    const spec = runs.aSpec(sh('until [ -e ../../go ]; do sleep 0.05; done; echo done'));
    const script = `
      const { LocalBackend } = require(process.argv[1]);
      const [, , options, spec] = process.argv.map((text, i) => (i > 1 ? JSON.parse(text) : text));
      const backend = new LocalBackend({ ...options, clock: { now: Date.now }, probe: { programs: [], searchFolders: [], onWarning() {} } });
      backend.ensure(spec).then(() => process.kill(process.pid, 'SIGKILL'));`;
    const options = {
      workRoot: runs.root,
      maxRunning: 16,
      memoryMiB: 1e6,
      environment: runs.environment,
      supervisorScript: runs.supervisor.script,
    };
    expect(() =>
      execFileSync(process.execPath, [
        '-e',
        script,
        runs.supervisor.backend,
        JSON.stringify(options),
        JSON.stringify(spec),
      ]),
    ).toThrow('SIGKILL');
    const backend = runs.aBackend();
    const ended = new Promise<string>((resolve) => backend.onChanged(resolve));
    expect((await backend.ensure(spec)).state).toBe('running');
    writeFileSync(join(spec.sessionFolder, 'go'), '');
    expect(await ended).toBe(spec.name);
    expect(await backend.ensure(spec)).toMatchObject({ state: 'ended', ending: { kind: 'exited', exitCode: 0 } });
    expect(logOf(spec).toString()).toBe('done\n');
  });

  it('a run whose supervisor was killed is lost, and none of its processes survives', async () => {
    const spec = runs.aSpec(sh('setsid sleep 600 & sleep 600'));
    const backend = runs.aBackend();
    const run = await started(backend, spec);
    process.kill(run.supervisor.pid, 'SIGKILL');
    expect(await runs.endOf(backend, spec)).toMatchObject({ kind: 'lost', infrastructure: true });
    expect(isAlive(run.program!)).toBe(false);
    await eventually('the end of all processes', () => processesOf(spec).length === 0);
  });

  it('a killed program ends as killed from outside', async () => {
    const spec = runs.aSpec(['/bin/sleep', '600']);
    const backend = runs.aBackend();
    await backend.ensure(spec);
    const program = await eventually('the program', () => readRun(runningFolder(spec))?.program);
    process.kill(program.pid, 'SIGKILL');
    expect(await runs.endOf(backend, spec)).toMatchObject({
      kind: 'signalled',
      signal: 'SIGKILL',
      infrastructure: true,
    });
  });

  it("a process that reuses the dead supervisor's pid is neither mistaken for it nor harmed", async () => {
    const spec = runs.aSpec(sh('sleep 600'));
    const first = runs.aBackend();
    const run = await started(first, spec);
    // Otherwise it would close the run before the record is replaced.
    await first.close();
    process.kill(run.supervisor.pid, 'SIGKILL');
    await eventually('the death of the supervisor', () => !isAlive(run.supervisor));
    const impostor = { pid: process.pid, startTime: run.supervisor.startTime };
    writeFileSync(
      join(runningFolder(spec), attemptFiles.run),
      JSON.stringify({ ...run, supervisor: impostor, program: impostor }),
    );
    expect(await runs.endOf(runs.aBackend(), spec)).toMatchObject({ kind: 'lost' });
    await eventually('the end of all processes', () => processesOf(spec).length === 0);
  });

  it('a supervisor that receives SIGTERM, as at a shutdown, ends the program and records that', async () => {
    const spec = runs.aSpec(sh('sleep 600'));
    const backend = runs.aBackend();
    const run = await started(backend, spec);
    process.kill(run.supervisor.pid, 'SIGTERM');
    expect(await runs.endOf(backend, spec)).toMatchObject({ kind: 'disrupted', infrastructure: true });
    await eventually('the end of all processes', () => processesOf(spec).length === 0);
  });

  it('a damaged result is rejected', async () => {
    const spec = runs.aSpec(sh('true'));
    await runs.endOf(runs.aBackend(), spec);
    writeFileSync(join(publishedFolder(spec), attemptFiles.result), '{"schemaVersion":1,');
    expect(await runs.endOf(runs.aBackend(), spec)).toMatchObject({ kind: 'lost', infrastructure: true });
  });

  it('a run on another computer counts as alive while it sends heartbeats', async () => {
    const spec = runs.aSpec(sh('sleep 600'));
    const backend = runs.aBackend();
    const run = await started(backend, spec);
    const elsewhere = { ...run, host: { bootId: 'elsewhere', pidNamespace: 'pid:[1]' } };
    writeFileSync(join(runningFolder(spec), attemptFiles.run), JSON.stringify(elsewhere));
    expect(await runs.aBackend().ensure(spec)).toMatchObject({ state: 'running' });
    await backend.cancel(spec);
    await eventually('the end of all processes', () => processesOf(spec).length === 0);
  });
});
