import { Fault } from '@fleet/contracts/faults';
import { anEnding, anId } from '@fleet/testing';
import { run, soon, useScripted } from './executor-harness';

const setUp = useScripted();

describe('a decided cycle', () => {
  it('starts its program with the limits of knowledge, settings and machine, once', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided({ program_time_limit: 5 });
    expect(await executor.step(id)).toEqual({ outcome: 'advanced' });
    expect(await executor.step(id)).toEqual({ outcome: 'waiting' });
    expect(backend.started).toEqual([
      {
        name: `${id}-c001-a1`,
        sessionFolder: `/work/mx1/${id}`,
        attemptFolder: 'c001-refine/a1',
        program: 'phenix.refine',
        argv: ['/kit/phenix.refine', '/data/model.pdb', '/data/data.mtz'],
        inputs: [
          { argument: 1, path: '/data/model.pdb', name: '1/model.pdb' },
          { argument: 2, path: '/data/data.mtz', name: '2/data.mtz' },
        ],
        owner: { sessionId: id, cycle: 1, attempt: 1, proposal: 'mx1', beamline: 'i04', priority: 'standard' },
        resources: { class: 'cpu', cpus: 1, mayFallBack: false },
        limits: { wallClock: 300, memoryMiB: 1500, outputBytes: 1000 },
      },
    ]);
    const session = await executor.load(id);
    expect(session).toMatchObject({ status: 'running', stage: 'executing', attempt: 1 });
    expect(session.cycles[0]!.attempts).toEqual([
      {
        attempt: 1,
        backend: 'local',
        provider: 'open-phenix',
        programVersion: 'Servalcat 0.4.142',
        resources: { class: 'cpu', cpus: 1, memoryMiB: 1500 },
        startedAt: expect.any(String) as string,
      },
    ]);
    expect(await executor.eventsOf(id)).toEqual(['attempt_started']);
    expect(executor.woken).toEqual([]);
  });

  it('is counted once, at its start and at its end', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.step(id);
    await executor.step(id);
    backend.end(run(id), anEnding({ durationMs: 90_000 }));
    await executor.step(id);
    const page = await executor.metrics.page();
    expect(page.split('\n')).toEqual(
      expect.arrayContaining([
        'phenix_fleet_launches_total{class="cpu"} 1',
        'phenix_fleet_endings_total{kind="exited",cause="program"} 1',
        'phenix_fleet_launches_total{class="gpu"} 0',
        'phenix_fleet_endings_total{kind="lost",cause="infrastructure"} 0',
        'phenix_fleet_program_seconds_sum{program="phenix.refine"} 90',
      ]),
    );
  });

  it('goes to analysis when its program has ended, and wakes it', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.step(id);
    backend.end(run(id), anEnding({ exitCode: 1 }));
    expect(await executor.step(id)).toEqual({ outcome: 'advanced' });
    const session = await executor.load(id);
    expect(session).toMatchObject({ stage: 'analysing', cycle: 1, attempt: 1 });
    expect(session.cycles[0]!.attempts[0]!.ending).toMatchObject({ kind: 'exited', exitCode: 1 });
    expect(await executor.eventsOf(id)).toEqual(['attempt_started', 'attempt_ended']);
    expect(executor.woken).toEqual(['analysing']);
  });

  it('that ended before it was first seen tells both', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    backend.end(run(id));
    await executor.step(id);
    expect(await executor.eventsOf(id)).toEqual(['attempt_started', 'attempt_ended']);
    expect((await executor.load(id)).stage).toBe('analysing');
  });

  it('whose program ends while its start is recorded continues by itself', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    const { records } = executor.store;
    const loadHead = records.loadHead.bind(records);
    let isLookedAt = false;
    records.loadHead = async (sessionId) => {
      const head = await loadHead(sessionId);
      isLookedAt = true;
      return head;
    };
    const ensure = backend.ensure.bind(backend);
    backend.ensure = async (spec) => {
      const state = await ensure(spec);
      if (state.state === 'running') backend.end(spec.name, anEnding(), true);
      await soon(() => isLookedAt);
      return state;
    };
    expect(await executor.step(id)).toEqual({ outcome: 'advanced' });
    expect((await executor.load(id)).stage).toBe('analysing');
  });

  it('is left alone by a stale step', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    expect(await executor.execute({ sessionId: id, sessionVersion: 1 })).toEqual({ outcome: 'stale' });
    expect(await executor.execute({ sessionId: anId(), sessionVersion: 1 })).toEqual({ outcome: 'stale' });
    expect(backend.started).toEqual([]);
    expect((await executor.load(id)).version).toBe(2);
  });

  it('starts once when two steps of it meet', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    const payload = { sessionId: id, sessionVersion: 2 };
    expect(await Promise.all([executor.execute(payload), executor.execute(payload)])).toEqual([
      { outcome: 'advanced' },
      { outcome: 'stale' },
    ]);
    expect(backend.started).toHaveLength(1);
  });

  it('continues although the installation has changed since its program started', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.step(id);
    backend.programs = [];
    expect(await executor.step(id)).toEqual({ outcome: 'waiting' });
    backend.end(run(id));
    await executor.step(id);
    expect((await executor.load(id)).stage).toBe('analysing');
  });
});

describe('a program that the machine lost', () => {
  const lost = anEnding({ kind: 'lost', infrastructure: true, message: 'it was lost.' });

  it('runs again as the next attempt, at once after the first loss', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.step(id);
    backend.end(run(id), lost);
    await executor.step(id);
    expect(await executor.load(id)).toMatchObject({ stage: 'executing', attempt: 2 });
    expect(executor.woken).toEqual(['executing']);
    await executor.step(id);
    expect(backend.started.map(({ attemptFolder }) => attemptFolder)).toEqual(['c001-refine/a1', 'c001-refine/a2']);
  });

  it('is tried again later when the disk was full', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.step(id);
    backend.end(run(id), anEnding({ kind: 'disk_full', infrastructure: true }));
    await executor.step(id);
    expect((await executor.load(id)).attempt).toBe(2);
    expect(executor.woken).toEqual([]);
  });

  it('ends the session when it is lost too often, with the reason', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await executor.step(id);
      backend.end(run(id, attempt), lost);
      await executor.step(id);
    }
    const session = await executor.load(id);
    expect(session).toMatchObject({ status: 'failed', stop: { reason: 'infrastructure', afterCycle: 1 } });
    expect(session.stop!.detail).toContain('it was lost.');
    expect(session.cycles[0]!.attempts).toHaveLength(3);
    expect((await executor.eventsOf(id)).at(-1)).toBe('session_ended');
  });

  it('is lost too when its folder was deleted', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.step(id);
    backend.forget(run(id));
    await executor.step(id);
    const session = await executor.load(id);
    expect(session.attempt).toBe(2);
    expect(session.cycles[0]!.attempts[0]!.ending).toMatchObject({ kind: 'lost' });
  });
});

describe('a name that another run has', () => {
  it('is left to it, ended, and the program runs as the next attempt with a warning', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    backend.conflict(run(id));
    await executor.step(id);
    expect(backend.cancelled).toEqual([run(id)]);
    expect(await executor.load(id)).toMatchObject({ stage: 'executing', attempt: 2, status: 'running' });
    expect(await executor.eventsOf(id)).toEqual(['warning']);
    await executor.step(id);
    expect(backend.started.map(({ name }) => name)).toEqual([run(id, 2)]);
  });

  it.each(['run.source_unknown', 'run.class_unknown', 'run.identity_refused', 'run.folder_unusable'] as const)(
    'that is refused with %s is tried three times, and then the session says why',
    async (code) => {
      const { executor, backend } = setUp();
      const id = await executor.aDecided();
      backend.refusal = new Fault(code, 'caller', 'the settings do not allow it');
      for (let attempt = 1; attempt <= 3; attempt += 1) await executor.step(id);
      const { status, stop, cycles } = await executor.load(id);
      expect(status).toBe('failed');
      expect(stop).toMatchObject({ reason: 'infrastructure' });
      expect(stop?.detail).toContain('phenix.refine could not start: the settings do not allow it.');
      expect(cycles[0]!.attempts.map(({ ending }) => ending?.kind)).toEqual([
        'not_started',
        'not_started',
        'not_started',
      ]);
      expect(backend.started).toEqual([]);
      expect(await executor.store.slots.members()).toEqual([]);
    },
  );

  it('that is refused, and runs since before, is seen to its end', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    backend.end(run(id));
    backend.refusal = new Fault('run.source_unknown', 'conflict', 'its source is no longer in the settings');
    await executor.step(id);
    expect(await executor.load(id)).toMatchObject({ stage: 'analysing', attempt: 1 });
  });
});
