import { aMaintenanceWindow, ManualClock, ScriptedBackend } from '@fleet/testing';
import { run, useExecutors, type ExecutorHarness } from './executor-harness';

const newExecutor = useExecutors();

const minute = 60_000;

const setUp = async (drainMinutes = 30): Promise<{ executor: ExecutorHarness; backend: ScriptedBackend }> => {
  const backend = new ScriptedBackend();
  const executor = newExecutor(backend);
  await executor.store.launches.announce(aMaintenanceWindow(executor.clock, { drainMinutes }));
  return { executor, backend };
};
const waitsIn = async (executor: ExecutorHarness, id: string): Promise<string | undefined> =>
  (await executor.load(id)).cycles[0]?.waiting?.reason;

describe('an announced maintenance window', () => {
  it('lets programs start until it drains, then none, says why and until when, and continues by itself', async () => {
    const { executor, backend } = await setUp();
    const [early, late] = [await executor.aDecided(), await executor.aDecided()];
    executor.clock.forward(29 * minute);
    await executor.step(early);
    expect(backend.started.map(({ name }) => name)).toEqual([run(early)]);
    executor.clock.forward(minute);
    await executor.wait(late);
    expect(await waitsIn(executor, late)).toBe(
      'maintenance Sat 21 Nov 10:00 to 14:00 CET: the file server is moved; it starts by itself afterwards',
    );
    const [event] = await executor.store.events.after(late, '0', 10);
    expect(event).toMatchObject({
      type: 'attempt_waiting',
      message: expect.stringContaining('14:00 CET') as unknown,
    });
    // What runs continues to its end, and gives its place to nobody.
    backend.end(run(early));
    await executor.step(early);
    expect((await executor.load(early)).stage).toBe('analysing');
    await executor.endings.tryWaiting();
    executor.clock.forward(120 * minute);
    await executor.endings.tryWaiting();
    expect(backend.started).toHaveLength(1);
    executor.clock.forward(150 * minute);
    await executor.endings.tryWaiting();
    expect(backend.started.map(({ name }) => name)).toEqual([run(early), run(late)]);
  });

  it('tells who waits through drain and window one reason, not two', async () => {
    const { executor } = await setUp();
    const id = await executor.aDecided();
    executor.clock.forward(31 * minute);
    await executor.wait(id);
    executor.clock.forward(60 * minute);
    await executor.wait(id);
    expect(await executor.eventsOf(id)).toEqual(['attempt_waiting']);
  });

  it('that is cancelled, or ended sooner, lets programs start at once', async () => {
    const { executor, backend } = await setUp();
    const id = await executor.aDecided();
    executor.clock.forward(70 * minute);
    await executor.wait(id);
    const [window] = await executor.store.launches.windows();
    await executor.store.launches.change({ ...window!, until: new Date(executor.clock.now()).toISOString() });
    await executor.endings.tryWaiting();
    expect(backend.started.map(({ name }) => name)).toEqual([run(id)]);
  });

  it('is a minute later for an executor whose clock is a minute late, and nothing else', async () => {
    const backend = new ScriptedBackend();
    const [clock, late] = [new ManualClock(), new ManualClock(new ManualClock().now() - minute)];
    const right = newExecutor(backend, { clock });
    const { launches } = newExecutor(backend, { clock: late }).store;
    const behind = newExecutor(backend, { clock, store: { ...right.store, launches } });
    const window = aMaintenanceWindow(clock, { drainMinutes: 0 });
    for (const one of [right, behind]) await one.store.launches.announce(window);
    for (const one of [clock, late]) one.forward(60 * minute);
    const id = await right.aDecided();
    expect(await right.step(id)).toEqual({ outcome: 'waiting' });
    expect(backend.started).toEqual([]);
    await behind.endings.tryWaiting();
    expect(backend.started.map(({ name }) => name)).toEqual([run(id)]);
    for (const one of [clock, late]) one.forward(minute);
    const next = await right.aDecided();
    for (const executor of [right, behind]) expect(await executor.step(next)).toEqual({ outcome: 'waiting' });
    expect(backend.started).toHaveLength(1);
  });
});
