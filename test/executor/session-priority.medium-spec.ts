import type { Priority } from '@fleet/contracts/launches';
import { attemptOfName } from '@fleet/contracts/runs';
import { anEvent, ManualClock, ScriptedBackend, useStores, type StorePorts } from '@fleet/testing';
import { ExecutorHarness, run, soon } from './executor-harness';

const newStore = useStores();

describe('another priority of a session whose program waits', () => {
  let backend: ScriptedBackend;
  let executors: readonly [ExecutorHarness, ExecutorHarness];
  beforeAll(() => {
    backend = new ScriptedBackend();
    const clock = new ManualClock();
    const anExecutor = (store: StorePorts): ExecutorHarness =>
      new ExecutorHarness(backend, { clock, store }, { launches: { maxRunning: 1 } });
    const store = newStore(clock);
    executors = [anExecutor(store), anExecutor(store.another())];
  });
  afterAll(async () => {
    for (const { endings } of executors) await endings.stop();
  });

  /** As the gateway writes it; its step is then taken by whichever executor is woken. */
  const prioritise = async (id: string, priority: Priority): Promise<void> => {
    const [executor, other] = executors;
    const { version, request } = await executor.load(id);
    const events = [anEvent({ type: 'session_prioritised' })];
    const body = { sessionId: id, fromVersion: version, request: { ...request, priority }, events, dueInMs: 1000 };
    expect(await executor.store.records.prioritise(body)).toMatchObject({ applied: true });
    await other.step(id);
  };
  const end = async (id: string): Promise<void> => {
    const already = backend.started.length;
    backend.end(run(id));
    await executors[1].step(id);
    await soon(() => backend.started.length > already);
    const { sessionId = '' } = attemptOfName(backend.started.at(-1)?.name ?? '') ?? {};
    await soon(async () => (await executors[0].load(sessionId)).cycles[0]!.attempts.length === 1);
  };

  it('changes which of them starts next, and nothing of what runs', async () => {
    const [executor] = executors;
    const ids: string[] = [];
    for (let number = 0; number < 4; number += 1) {
      const id = await executor.aDecided();
      await executor.step(id);
      ids.push(id);
      executor.clock.forward(1000);
    }
    const [running, first, second, third] = ids as [string, string, string, string];
    const { cycles } = await executor.load(running);
    await prioritise(running, 'backfill');
    expect((await executor.load(running)).cycles).toEqual(cycles);
    await prioritise(first, 'backfill');
    await prioritise(third, 'live');
    expect(backend.started.map(({ name }) => name)).toEqual([run(running)]);
    for (const id of [running, third, second]) await end(id);
    expect(backend.started.map(({ name }) => name)).toEqual([running, third, second, first].map((id) => run(id)));
    expect(await executor.eventsOf(first)).toContain('session_prioritised');
  });
});
