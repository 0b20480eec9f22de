import { Fault } from '@fleet/contracts/faults';
import { anEnding, ManualClock, ScriptedBackend } from '@fleet/testing';
import { run, soon, useExecutors, type ExecutorHarness } from './executor-harness';

const newExecutor = useExecutors();

const setUp = (): { executor: ExecutorHarness; backend: ScriptedBackend } => {
  const backend = new ScriptedBackend();
  backend.line = 'no node has a GPU free.';
  return { executor: newExecutor(backend), backend };
};

describe('a backend that does not answer', () => {
  const trouble = new Fault('cluster.unreachable', 'transient', 'the Kubernetes API server fails: no answer');

  it.each(['cluster.unreachable', 'cluster.forbidden', 'cluster.namespace_missing', 'run.storage_failing'] as const)(
    'lets a session wait for %s, with the reason, and its program starts when that is over',
    async (code) => {
      const { executor, backend } = setUp();
      backend.line = undefined;
      backend.refusal = new Fault(code, 'transient', trouble.message);
      const id = await executor.aDecided();
      await executor.wait(id);
      expect((await executor.load(id)).cycles[0]).toMatchObject({
        attempts: [],
        waiting: { queuedOnBackend: false, reason: 'the Kubernetes API server fails: no answer' },
      });
      // Whether a Job was made is not known: its place is not given away.
      expect(await executor.store.slots.census()).toMatchObject({ taken: { all: 1 } });
      backend.refusal = undefined;
      await executor.endings.tryWaiting();
      expect(backend.started.map(({ name }) => name)).toEqual([run(id)]);
      expect(await executor.eventsOf(id)).toEqual(['attempt_waiting', 'attempt_started']);
    },
  );

  it('keeps one session that cannot be looked at from no other', async () => {
    const { executor, backend } = setUp();
    backend.line = undefined;
    const [bad, good, worse] = [await executor.aDecided(), await executor.aDecided(), await executor.aDecided()];
    for (const id of [bad, good, worse]) await executor.step(id);
    backend.end(run(good));
    const find = backend.find.bind(backend);
    jest
      .spyOn(backend, 'find')
      .mockImplementation((place) => (place.name === run(good) ? find(place) : Promise.reject(trouble)));
    executor.endings.start();
    await soon(async () => (await executor.load(good)).stage === 'analysing');
    await soon(() => executor.errors.includes(trouble));
    await executor.endings.stop();
  });
});

describe('a session that waits and cannot be looked at', () => {
  it('keeps none behind it from starting when there is room', async () => {
    const { executor, backend } = setUp();
    backend.line = undefined;
    backend.full = true;
    const [bad, good] = [await executor.aDecided(), await executor.aDecided()];
    for (const id of [bad, good]) await executor.step(id);
    backend.full = false;
    const ensure = backend.ensure.bind(backend);
    const trouble = new Error('so it is');
    jest
      .spyOn(backend, 'ensure')
      .mockImplementation((spec) => (spec.name === run(bad) ? Promise.reject(trouble) : ensure(spec)));
    await executor.endings.tryWaiting();
    expect(backend.started.map(({ name }) => name)).toEqual([run(good)]);
    expect(executor.errors).toEqual([trouble]);
  });

  it('is not asked after again and again with all others, and goes to the end of the line', async () => {
    const { executor, backend } = setUp();
    backend.line = undefined;
    backend.full = true;
    const bad = [await executor.aDecided(), await executor.aDecided(), await executor.aDecided()];
    const more = [await executor.aDecided(), await executor.aDecided()];
    for (const id of [...bad, ...more]) await executor.step(id);
    await soon(async () => Object.keys((await executor.store.slots.census()).taken).length === 0);
    backend.full = false;
    const ensure = backend.ensure.bind(backend);
    const trouble = new Error('so it is');
    const looks = jest
      .spyOn(backend, 'ensure')
      .mockImplementation((spec) =>
        bad.map((id) => run(id)).includes(spec.name) ? Promise.reject(trouble) : ensure(spec),
      );
    await executor.endings.tryWaiting();
    expect(looks).toHaveBeenCalledTimes(3);
    expect(backend.started).toEqual([]);
    await executor.endings.tryWaiting();
    expect(backend.started.map(({ name }) => name)).toEqual(more.map((id) => run(id)));
  });
});

describe('many ends at once', () => {
  it('look at those that wait once at a time', async () => {
    const { executor, backend } = setUp();
    backend.line = undefined;
    backend.full = true;
    const waiting = await executor.aDecided();
    await executor.step(waiting);
    const looks = jest.spyOn(backend, 'ensure');
    await Promise.all(Array.from({ length: 50 }, () => executor.endings.tryWaiting()));
    expect(looks.mock.calls.length).toBeLessThanOrEqual(2);
    backend.full = false;
    await executor.endings.tryWaiting();
    expect(backend.started).toHaveLength(1);
  });
});

describe('a run that stands in line on the backend', () => {
  it('tells the user why, once, and is in the record', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await executor.step(id)).toEqual({ outcome: 'waiting' });
      executor.clock.forward(5_000);
    }
    expect(backend.started).toHaveLength(1);
    const [event, ...more] = await executor.store.events.after(id, '0', 10);
    expect(event).toMatchObject({
      type: 'attempt_waiting',
      message: 'phenix.refine waits: no node has a GPU free.',
      data: { attempt: 1 },
    });
    expect(more).toEqual([]);
    expect((await executor.load(id)).cycles[0]).toMatchObject({
      attempts: [],
      waiting: {
        attempt: 1,
        queuedOnBackend: true,
        reason: 'no node has a GPU free.',
        programVersion: 'Servalcat 0.4.142',
      },
    });
  });

  it('tells nothing of a wait of seconds', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.step(id);
    expect(await executor.store.slots.census()).toMatchObject({ waiting: 1, taken: { all: 1 } });
    executor.clock.forward(4_000);
    expect(await executor.store.schedule.overdue(10)).toEqual([]);
    backend.start(run(id));
    await soon(async () => (await executor.load(id)).cycles[0]!.attempts.length === 1);
    await executor.endings.stop();
    expect(await executor.eventsOf(id)).toEqual(['attempt_started']);
  });

  it('tells another reason, but no flicker of reasons', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.wait(id);
    const { since } = (await executor.load(id)).cycles[0]!.waiting!;
    for (const reason of ['a', 'b', 'c']) {
      backend.wait(run(id), reason);
      executor.clock.forward(20_000);
      await executor.step(id);
    }
    expect((await executor.eventsOf(id)).length).toBe(2);
    expect((await executor.load(id)).cycles[0]!.waiting).toMatchObject({ reason: 'c', since });
  });

  it('is asked again when the backend says so', async () => {
    const { executor } = setUp();
    const id = await executor.aDecided();
    await executor.wait(id);
    for (let turn = 0; turn < 2; turn += 1) {
      executor.clock.forward(29_000);
      expect(await executor.store.schedule.overdue(10)).toEqual([]);
      executor.clock.forward(2_000);
      expect((await executor.store.schedule.overdue(10)).map((head) => head.id)).toEqual([id]);
      await executor.step(id);
    }
  });

  it('is started in the record as soon as the backend tells', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.wait(id);
    backend.programs = [];
    backend.start(run(id));
    await soon(async () => (await executor.load(id)).cycles[0]!.attempts.length === 1);
    await executor.endings.stop();
    expect(await executor.eventsOf(id)).toEqual(['attempt_waiting', 'attempt_started']);
    const [cycle] = (await executor.load(id)).cycles;
    expect(cycle!.waiting).toBeUndefined();
    expect(cycle!.attempts[0]).toMatchObject({ attempt: 1, resources: { class: 'cpu', cpus: 1, memoryMiB: 1500 } });
    expect(await executor.store.slots.census()).toMatchObject({
      taken: { all: 1, 'class:cpu': 1, 'proposal:mx1': 1 },
      waiting: 0,
    });
  });

  it('that never started ends without a word of a start, and the next attempt follows', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.wait(id);
    const message = 'no node took it for a day.';
    backend.end(run(id), anEnding({ kind: 'unschedulable', infrastructure: true, message }));
    await executor.step(id);
    expect(await executor.eventsOf(id)).toEqual(['attempt_waiting', 'attempt_ended']);
    const session = await executor.load(id);
    expect(session.attempt).toBe(2);
    expect(session.cycles[0]).not.toHaveProperty('waiting');
    expect(session.cycles[0]!.attempts[0]!.ending).toMatchObject({ nextAction: 'It runs again as attempt 2.' });
  });

  it('is made again when it is gone', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.wait(id);
    backend.forget(run(id));
    backend.line = undefined;
    await executor.step(id);
    expect((await executor.load(id)).cycles[0]!.attempts).toHaveLength(1);
  });

  it('is ended with its session', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.wait(id);
    await executor.cancelSession(id);
    expect(backend.cancelled).toEqual([run(id)]);
    expect((await executor.load(id)).cycles[0]).not.toHaveProperty('waiting');
    expect(await executor.store.slots.members()).toEqual([]);
  });
});

describe('several executors at once', () => {
  it('see a run start and end once, in any order of notifications', async () => {
    const backend = new ScriptedBackend();
    backend.line = 'it is full.';
    const clock = new ManualClock();
    const first = newExecutor(backend, { clock });
    const { store } = first;
    const executors = [first, newExecutor(backend, { clock, store }), newExecutor(backend, { clock, store })];
    const ids = await Promise.all(Array.from({ length: 20 }, () => first.aDecided()));
    for (let turn = 0; turn < 2; turn += 1) {
      await Promise.all(ids.flatMap((id) => executors.map((executor) => executor.step(id))));
      clock.forward(5_000);
    }
    for (const id of ids) backend.start(run(id));
    for (const id of ids) await soon(async () => (await first.load(id)).cycles[0]!.attempts.length === 1);
    for (const id of ids) backend.end(run(id), anEnding(), true);
    for (const id of ids) await soon(async () => (await first.load(id)).stage === 'analysing');
    for (const executor of executors) await executor.endings.stop();
    for (const id of ids)
      expect(await first.eventsOf(id)).toEqual(['attempt_waiting', 'attempt_started', 'attempt_ended']);
    await first.pruner.prune();
    expect(await store.slots.census()).toEqual({ taken: {}, waiting: 0 });
    expect(executors.flatMap(({ errors }) => errors)).toEqual([]);
  });
});
