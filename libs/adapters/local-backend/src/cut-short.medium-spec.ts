import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRun } from '@fleet/attempt-runner';
import { attemptFiles } from '@fleet/contracts/runs';
import {
  eventually,
  LocalRuns,
  logOf,
  prepareAttempt,
  processesOf,
  publishedFolder,
  runningFolder,
} from '@fleet/testing';

const runs = new LocalRuns();
const sh = (script: string): readonly string[] => ['/bin/sh', '-c', script];
const longAgo = new Date(Date.now() - 3_600_000);

afterAll(() => runs.dispose());

describe('after a power cut that truncated a file', () => {
  it.each<[string, (text: string) => string]>([
    ['empty', () => ''],
    ['cut in the middle', (text) => text.slice(0, text.length / 2)],
  ])('the spec is rewritten if it is %s, and the run starts at once', async (_, change) => {
    const spec = runs.aSpec(sh('echo ran'));
    prepareAttempt(spec);
    const path = join(runningFolder(spec), attemptFiles.spec);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    expect(await runs.endOf(runs.aBackend(), spec)).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(logOf(spec).toString()).toBe('ran\n');
    // No supervisor has waited for the spec and given up.
    expect(readFileSync(join(publishedFolder(spec), attemptFiles.supervisorLog), 'utf8')).toBe('');
  });

  it('a run under an unreadable claim is ended, and nothing is started again', async () => {
    const spec = runs.aSpec(sh('echo started >> ../count; sleep 600'));
    await runs.aBackend().ensure(spec);
    const { supervisor } = await eventually('the program', () => {
      const run = readRun(runningFolder(spec));
      return run?.program === undefined ? undefined : run;
    });
    process.kill(supervisor.pid, 'SIGKILL');
    const path = join(runningFolder(spec), attemptFiles.run);
    writeFileSync(path, '');
    utimesSync(path, longAgo, longAgo);
    // A backend that has read the claim before still knows it.
    const backend = runs.aBackend();
    expect(await backend.ensure(spec)).toMatchObject({ state: 'running' });
    expect(await runs.endOf(backend, spec)).toMatchObject({ kind: 'lost', infrastructure: true });
    expect(processesOf(spec)).toEqual([]);
    expect(readFileSync(join(spec.sessionFolder, 'c001-refine', 'count'), 'utf8')).toBe('started\n');
  });
});
