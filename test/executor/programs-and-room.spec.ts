import type { InstalledProgram } from '@fleet/contracts/service';
import { aDecision, anEnding, projectRules, ScriptedBackend } from '@fleet/testing';
import { withheldPrograms } from '../../apps/executor-worker/src/programs/withheld-programs';
import { run, soon, useExecutors, useScripted, type ExecutorHarness } from './executor-harness';

const newExecutor = useExecutors();

const setUp = useScripted();

const queuedOnBackend = async ({ store: { slots } }: ExecutorHarness): Promise<readonly string[]> =>
  (await slots.line()).waiters.map(({ name }) => name);

describe('programs that are not there', () => {
  it('fail the cycle with the reason, not the session', async () => {
    const { executor, backend } = setUp();
    backend.programs = [];
    const id = await executor.aDecided();
    await executor.step(id);
    const session = await executor.load(id);
    expect(session.stage).toBe('analysing');
    expect(session.cycles[0]!.attempts[0]!.ending).toMatchObject({
      kind: 'not_started',
      infrastructure: false,
      message: 'phenix.refine is no longer installed on this backend.',
    });
  });

  it('are simulated only where the settings name them', async () => {
    const { executor, backend } = setUp();
    const decision = aDecision({ program: 'phenix.autosol', argv: ['phenix.autosol', 'data=x'] });
    const command = ['/kit/open-phenix-simulated', 'phenix.autosol'];
    backend.programs = [{ program: 'phenix.autosol', provider: 'simulated', version: 'simulated 1', command }];
    const refused = await executor.aDecided({}, decision);
    await executor.step(refused);
    expect((await executor.load(refused)).cycles[0]!.attempts[0]!.ending?.message).toContain(
      'which the settings do not enable',
    );
    const decided = await executor.aDecided({ simulated_programs: ['phenix.autosol'] }, decision);
    await executor.step(decided);
    expect(backend.started[0]!.argv).toEqual([...command, 'data=x']);
    expect((await executor.load(decided)).cycles[0]!.attempts[0]).toMatchObject({ provider: 'simulated' });
  });

  it('do not start, and are published with the reason, where the site withholds them; simulated ones start', async () => {
    const ruleBook = projectRules();
    const backend = new ScriptedBackend();
    const executor = newExecutor(backend, {}, { withheld: withheldPrograms(ruleBook, 'off') });
    const program = 'phenix.predict_and_build';
    const decision = aDecision({ program, argv: [program, 'data=x'] });
    const aProgramOf = (provider: 'phenix' | 'simulated'): InstalledProgram => ({
      program,
      provider,
      version: '1',
      command: ['/bin/predict'],
    });
    backend.programs = [aProgramOf('phenix')];
    const refused = await executor.aDecided({}, decision);
    await executor.step(refused);
    const sentence = 'FLEET_PREDICTION is off';
    expect((await executor.load(refused)).cycles[0]!.attempts[0]!.ending?.message).toContain(sentence);
    expect(backend.started).toEqual([]);
    const withheld = [{ program, why: expect.stringContaining(sentence) as string }];
    expect(await executor.store.catalogues.of('local')).toMatchObject({ programs: [], withheld });
    backend.programs = [aProgramOf('simulated')];
    await executor.catalogue.resolve('phenix.anything', []);
    await executor.step(await executor.aDecided({ simulated_programs: [program] }, decision));
    expect(backend.started).toHaveLength(1);
  });

  it.each(['local', 'vendor'] as const)('are all let run where structures are predicted: %s', (prediction) => {
    const ruleBook = projectRules();
    expect(withheldPrograms(ruleBook, prediction).size).toBe(0);
  });

  it('are published again to a store that has lost them, without another probe', async () => {
    const backend = new ScriptedBackend();
    const executor = newExecutor(backend);
    await executor.catalogue.resolve('phenix.refine', []);
    const catalogue = await executor.store.catalogues.of('local');
    const probes = jest.spyOn(backend, 'probe');
    await executor.store.catalogues.publish({ backend: 'local', probedAt: '', programs: [] });
    await executor.catalogue.publishAgain();
    await expect(executor.store.catalogues.of('local')).resolves.toEqual(catalogue);
    expect(catalogue?.programs.length).toBeGreaterThan(0);
    expect(probes).not.toHaveBeenCalled();
  });

  it('let a session wait, with the reason, while they are still looked for, and hold up no step', async () => {
    const { executor, backend } = setUp();
    let found = (): void => undefined;
    backend.probing = new Promise<void>((resolve) => {
      found = resolve;
    });
    const id = await executor.aDecided();
    await executor.step(id);
    executor.clock.forward(5_000);
    expect(await executor.step(id)).toEqual({ outcome: 'waiting' });
    expect((await executor.load(id)).cycles[0]!.waiting).toMatchObject({
      reason: 'the installed programs are still being determined',
    });
    found();
    await executor.step(id);
    expect(backend.started).toHaveLength(1);
  });

  it('are known from before while they are looked for again', async () => {
    const { executor, backend } = setUp();
    await executor.catalogue.resolve('phenix.refine', []);
    backend.probing = new Promise(() => undefined);
    executor.catalogue.start();
    await executor.step(await executor.aDecided());
    executor.catalogue.stop();
    expect(backend.started).toHaveLength(1);
  });

  it('are found when they were installed meanwhile, and published', async () => {
    const { executor, backend } = setUp();
    const { programs } = backend;
    backend.programs = [];
    await executor.catalogue.resolve('phenix.refine', []);
    expect((await executor.store.catalogues.of('local'))?.programs).toEqual([]);
    backend.programs = programs;
    await executor.step(await executor.aDecided());
    expect(backend.started).toHaveLength(1);
    expect((await executor.store.catalogues.of('local'))?.programs).toEqual(programs);
  });
});

describe('a full computer', () => {
  it('lets sessions wait, and the first that came starts when a program ends', async () => {
    const { executor, backend } = setUp();
    const [running, first, second] = [await executor.aDecided(), await executor.aDecided(), await executor.aDecided()];
    await executor.step(running);
    backend.full = true;
    for (const id of [first, second, first]) expect(await executor.step(id)).toEqual({ outcome: 'waiting' });
    expect(await queuedOnBackend(executor)).toEqual([run(first), run(second)]);
    executor.clock.forward(5_000);
    for (const id of [first, second, first]) await executor.step(id);
    // Told once, however often it asks.
    expect(await executor.eventsOf(first)).toEqual(['attempt_waiting']);
    expect((await executor.load(first)).cycles[0]!.waiting).toMatchObject({ attempt: 1, reason: 'it is full' });
    backend.full = false;
    backend.end(run(running), anEnding(), true);
    await soon(() => backend.started.length === 3);
    expect(backend.started.map(({ name }) => name)).toEqual([run(running), run(first), run(second)]);
    await executor.endings.stop();
    expect((await executor.load(running)).stage).toBe('analysing');
    expect(await queuedOnBackend(executor)).toEqual([]);
    expect(executor.errors).toEqual([]);
  });

  it('wakes waiting sessions by the sweeper too', async () => {
    const { executor, backend } = setUp();
    backend.full = true;
    const id = await executor.aDecided();
    await executor.step(id);
    executor.clock.forward(4_000);
    expect(await executor.store.schedule.overdue(10)).toEqual([]);
    executor.clock.forward(2_000);
    expect((await executor.store.schedule.overdue(10)).map((head) => head.id)).toEqual([id]);
  });
});

describe('a restarted executor', () => {
  it('looks at all running sessions and continues with those whose program has ended', async () => {
    const { executor, backend } = setUp();
    const ids = [await executor.aDecided(), await executor.aDecided()];
    for (const id of ids) await executor.step(id);
    backend.end(run(ids[0]!));
    executor.endings.start();
    await soon(async () => (await executor.load(ids[0]!)).stage === 'analysing');
    await executor.endings.stop();
    expect((await executor.load(ids[1]!)).stage).toBe('executing');
  });
});
