import { claimantOf } from '@fleet/fair-shares';
import { aLaunchPolicy, anEnding, aSharedRun, ScriptedBackend } from '@fleet/testing';
import { run, soon, useExecutors, type ExecutorHarness } from './executor-harness';

const newExecutor = useExecutors();

const setUp = (given: ConstructorParameters<typeof ExecutorHarness>[2]) => {
  const backend = new ScriptedBackend();
  return { executor: newExecutor(backend, {}, given), backend };
};

/** What is counted of one program of the session of `aRequest`. */
const ofOne = {
  all: 1,
  'class:cpu': 1,
  'proposal:mx1': 1,
  'share:cpu:mx1': 1,
  'user:somebody': 1,
  'priority:standard': 1,
};

const reasonOf = async (executor: ExecutorHarness, id: string): Promise<string | undefined> =>
  (await executor.load(id)).cycles[0]!.waiting?.reason;

describe('limits of what runs', () => {
  it('let as many start as may run, and the next one when one has ended', async () => {
    const { executor, backend } = setUp({ launches: { maxRunning: 2 } });
    const ids = [];
    for (let number = 0; number < 4; number += 1) ids.push(await executor.aDecided());
    for (const id of ids) await executor.wait(id);
    expect(backend.started.map(({ name }) => name)).toEqual([run(ids[0]!), run(ids[1]!)]);
    expect(await reasonOf(executor, ids[2]!)).toBe('2 programs run already, which is the limit');
    backend.end(run(ids[0]!), anEnding(), true);
    await soon(() => backend.started.length === 3);
    await executor.endings.stop();
    expect(backend.started.at(-1)!.name).toBe(run(ids[2]!));
    expect(await executor.store.slots.census()).toMatchObject({ taken: { all: 2 }, waiting: 1 });
  });

  it.each([
    [{ maxRunningPerProposal: 1 }, 'one program runs for proposal mx1 already, which is the limit'],
    [{ classes: { cpu: 1, gpu: 1 } }, 'one program runs on nodes of class cpu already, which is the limit'],
  ])('are counted by proposal and by class too', async (launches, reason) => {
    const { executor, backend } = setUp({ launches });
    const [first, second] = [await executor.aDecided(), await executor.aDecided()];
    await executor.step(first);
    await executor.wait(second);
    expect(backend.started).toHaveLength(1);
    expect(await reasonOf(executor, second)).toBe(reason);
  });

  it('are right again after an executor died between the record and its place', async () => {
    const { executor, backend } = setUp({ launches: { maxRunning: 1 } });
    const [first, second] = [await executor.aDecided(), await executor.aDecided()];
    await executor.step(first);
    executor.store.slots.release = () => Promise.reject(new Error('died'));
    backend.end(run(first));
    await expect(executor.step(first)).rejects.toThrow('died');
    delete (executor.store.slots as Partial<typeof executor.store.slots>).release;
    await executor.step(second);
    expect(backend.started).toHaveLength(2);
  });

  it('count a run that is there although nobody knows its place (after a loss of Redis)', async () => {
    const { executor, backend } = setUp({ launches: { maxRunning: 1 } });
    const [first, second] = [await executor.aDecided(), await executor.aDecided()];
    await executor.step(first);
    await executor.store.slots.release(run(first));
    await executor.step(first);
    await executor.step(second);
    expect(backend.started).toHaveLength(1);
  });

  it('do not keep anybody from seeing what was started already', async () => {
    const { executor, backend } = setUp({ launches: { maxRunning: 1 } });
    const [first, second] = [await executor.aDecided(), await executor.aDecided()];
    await executor.step(first);
    // Another executor let it through and made it, and died before it could write that down; then launches were paused.
    await executor.store.slots.running(claimantOf(aSharedRun(run(second)), aLaunchPolicy()));
    backend.end(run(second));
    await executor.store.launches.set({ mode: 'paused', reason: '', by: '' });
    await executor.step(second);
    expect((await executor.load(second)).stage).toBe('analysing');
  });
});

describe('launches that are paused', () => {
  it.each([
    ['paused', 'the disk is changed', 'launches are paused: the disk is changed'],
    ['draining', '', 'the service is being drained'],
  ] as const)('wait with the reason, and continue when somebody resumes (%s)', async (mode, reason, told) => {
    const { executor, backend } = setUp({});
    const [running, held] = [await executor.aDecided(), await executor.aDecided()];
    await executor.step(running);
    await executor.store.launches.set({ mode, reason, by: 'ada' });
    await executor.wait(held);
    expect(backend.started).toHaveLength(1);
    expect(await reasonOf(executor, held)).toBe(told);
    expect(await executor.store.slots.census()).toMatchObject({ taken: { all: 1 }, waiting: 1 });
    backend.end(run(running));
    await executor.step(running);
    expect((await executor.load(running)).stage).toBe('analysing');
    expect((await executor.store.slots.census()).taken).toEqual({});
    await executor.store.launches.set({ mode: 'open', reason: '', by: 'ada' });
    await executor.endings.tryWaiting();
    expect(backend.started).toHaveLength(2);
    expect(await executor.store.slots.census()).toMatchObject({ taken: { all: 1 }, waiting: 0 });
  });
});

describe('memory and GPUs', () => {
  const oom = anEnding({ kind: 'memory_limit', message: 'phenix.refine ran out of memory.' });

  it('give a program more memory until there is no more, then analysis judges it', async () => {
    const { executor, backend } = setUp({ memory: { classesMiB: [1024, 2048, 4096] } });
    const id = await executor.aDecided();
    for (const attempt of [1, 2]) {
      await executor.step(id);
      backend.end(run(id, attempt), oom);
      await executor.step(id);
    }
    expect(backend.started.map(({ limits }) => limits.memoryMiB)).toEqual([2048, 4096]);
    const session = await executor.load(id);
    expect(session).toMatchObject({ stage: 'analysing', attempt: 2 });
    expect(session.cycles[0]!.attempts).toMatchObject([
      { resources: { memoryMiB: 2048 }, ending: { nextAction: 'It runs again with 4096 MiB of memory.' } },
      { resources: { memoryMiB: 4096 } },
    ]);
    expect(session.cycles[0]!.attempts[1]!.ending).not.toHaveProperty('nextAction');
    const events = await executor.store.events.after(id, '0', 100);
    expect(events.find(({ type }) => type === 'attempt_ended')?.data).toMatchObject({
      nextAction: 'It runs again with 4096 MiB of memory.',
    });
  });

  it('let a program that runs on either go to a CPU when no GPU comes free', async () => {
    const { executor, backend } = setUp({ program: { class: 'either' } });
    const id = await executor.aDecided();
    backend.line = 'no GPU is free.';
    await executor.step(id);
    backend.end(run(id), anEnding({ kind: 'gpu_unavailable', infrastructure: true }));
    await executor.step(id);
    expect(executor.woken).toEqual(['executing']);
    backend.line = undefined;
    await executor.step(id);
    expect(backend.started.map(({ resources }) => resources)).toEqual([
      { class: 'gpu', cpus: 1, mayFallBack: true },
      { class: 'cpu', cpus: 1, mayFallBack: false },
    ]);
    expect((await executor.store.slots.census()).taken).toEqual(ofOne);
  });

  it('bear many disruptions, but not for ever', async () => {
    const { executor, backend } = setUp({});
    const id = await executor.aDecided();
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await executor.step(id);
      backend.end(run(id, attempt), anEnding({ kind: 'disrupted', infrastructure: true, message: 'it was evicted.' }));
      await executor.step(id);
    }
    expect(await executor.load(id)).toMatchObject({ status: 'failed', stop: { reason: 'infrastructure' } });
    expect(backend.started).toHaveLength(5);
  });
});
