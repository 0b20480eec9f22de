import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aDecision, LocalRuns } from '@fleet/testing';
import type { LocalBackend } from '@fleet/local-backend';
import { soon, useExecutors, type ExecutorHarness } from './executor-harness';

const newExecutor = useExecutors();
const runs = new LocalRuns();
const harnesses: ExecutorHarness[] = [];

/** An executor as after a restart, over the same or a new store. */
const anExecutor = (maxRunning?: number): ExecutorHarness => {
  const backend: LocalBackend = runs.aBackend(maxRunning);
  const command = ['/bin/sh', '-c'];
  backend.probe = () =>
    Promise.resolve([{ program: 'phenix.refine', provider: 'open-phenix', version: 'sh', command }]);
  const executor = newExecutor(backend);
  harnesses.push(executor);
  return executor;
};

const decided = (executor: ExecutorHarness, script: string): Promise<string> =>
  executor.aDecided({}, aDecision({ argv: ['phenix.refine', script] }), runs.root);

const reached = (executor: ExecutorHarness, id: string, stage: string): Promise<void> =>
  soon(async () => (await executor.load(id)).stage === stage);

beforeAll(() => mkdirSync(join(runs.root, 'mx1')));
afterAll(async () => {
  for (const executor of harnesses) await executor.endings.stop();
  await runs.dispose();
});

describe('the executor with real processes', () => {
  it('takes a session from its decision to its analysis without a sweeper', async () => {
    const executor = anExecutor();
    const id = await decided(executor, 'echo R-free 0.25; sleep 0.2');
    await executor.step(id);
    await reached(executor, id, 'analysing');
    const session = await executor.load(id);
    expect(session.cycles[0]!.attempts[0]!.ending).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(readFileSync(join(session.folder, 'c001-refine', 'a1', 'program.log'), 'utf8')).toBe('R-free 0.25\n');
    expect(executor.errors).toEqual([]);
  });

  it('ends the program of a cancelled session', async () => {
    const executor = anExecutor();
    const id = await decided(executor, 'sleep 600');
    await executor.step(id);
    await executor.cancelSession(id);
    const session = await executor.load(id);
    expect(session.status).toBe('cancelled');
    expect(session.cycles[0]!.attempts[0]!.ending).toMatchObject({ kind: 'cancelled' });
  });

  it('has one program run after the other where there is room for one', async () => {
    const executor = anExecutor(1);
    const ids = [];
    for (let turn = 0; turn < 3; turn += 1) ids.push(await decided(executor, 'sleep 0.1'));
    for (const id of ids) await executor.step(id);
    for (const id of ids) await reached(executor, id, 'analysing');
    const times = await Promise.all(ids.map(async (id) => (await executor.load(id)).cycles[0]!.attempts[0]!));
    for (const [index, { startedAt }] of times.entries()) {
      if (index > 0) expect(startedAt >= times[index - 1]!.ending!.endedAt).toBe(true);
    }
  });

  it('repeats a program that was killed from outside, and keeps what the first attempt left', async () => {
    const executor = anExecutor();
    const id = await decided(executor, 'test -e ../a1 || kill -9 $$; echo second');
    await executor.step(id);
    await soon(async () => (await executor.load(id)).attempt === 2);
    await executor.step(id);
    await reached(executor, id, 'analysing');
    const { attempts } = (await executor.load(id)).cycles[0]!;
    expect(attempts.map(({ ending }) => ending?.kind)).toEqual(['signalled', 'exited']);
  });
});
