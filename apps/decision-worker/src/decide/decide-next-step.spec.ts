import { emptyReading } from '@fleet/contracts/guidance';
import type { SessionHead } from '@fleet/contracts/sessions';
import { buildDecisionGraph } from '@fleet/decision-graph';
import { runStep, type StepOfSession } from '@fleet/steps';
import {
  aCatalogue,
  aCycle,
  aDecision,
  aFullCatalogue,
  aGuidance,
  aNewSession,
  aRequest,
  aResult,
  dataFile,
  ManualClock,
  modelFile,
  projectRules,
  sequenceFile,
  useStores,
} from '@fleet/testing';
import { DecideNextStep } from './decide-next-step';

const newStore = useStores();

const ruleBook = projectRules();
const graph = buildDecisionGraph({ ruleBook });

/** A decision worker around a store, with one submitted session. */
const setUp = async (inputs = [dataFile(), modelFile()], published = true) => {
  const clock = new ManualClock();
  const store = newStore(clock);
  const woken: SessionHead[] = [];
  const errors: unknown[] = [];
  const wake = (head: SessionHead): Promise<void> => {
    woken.push(head);
    return Promise.resolve();
  };
  if (published) await store.catalogues.publish(aCatalogue());
  const session = aNewSession({ request: aRequest({ inputs }) });
  await store.records.create(session, [], 1000);
  const missing = new Set<string>();
  const changed = new Map<string, string>();
  const log = { error: (entry: unknown) => errors.push(entry) };
  const { records, schedule } = store;
  const ports = { records, schedule, waker: { wake }, clock, log };
  const decide = new DecideNextStep({
    catalogues: store.catalogues,
    clock,
    graph,
    backend: 'local',
    missing: () => Promise.resolve(missing),
    changed: () => Promise.resolve(changed),
  });
  const step = { run: (due: StepOfSession) => runStep(ports, decide, due) };
  return { store, step, woken, missing, changed, id: session.id };
};

describe('DecideNextStep', () => {
  it('writes the decision and wakes the executor', async () => {
    const { store, step, woken, id } = await setUp();
    expect(await step.run({ sessionId: id, sessionVersion: 1 })).toEqual({ outcome: 'advanced' });
    const session = await store.records.load(id);
    expect(session).toMatchObject({ stage: 'executing', cycle: 1, attempt: 1, version: 2 });
    expect(session?.cycles[0]).toMatchObject({ cycle: 1, attempts: [], decision: { program: 'phenix.xtriage' } });
    expect(woken.map(({ version }) => version)).toEqual([2]);
    const events = (await store.events.after(id, '0', 100)).map(({ type }) => type);
    expect(events).toEqual([
      'cycle_start',
      'state_detected',
      'program_selected',
      'file_scored',
      'files_selected',
      'command_built',
    ]);
  });

  it('follows the current guidance, and records its revision', async () => {
    const { store, step, id } = await setUp();
    const guidance = (revision: number, skipped: readonly string[]) =>
      aGuidance({
        revision,
        reading: { ...emptyReading, directives: { workflow_preferences: { skip_programs: skipped } } },
      });
    const from = { stage: 'deciding', cycle: 1 } as const;
    const advise = (revision: number, skipped: readonly string[]) =>
      store.records.advise({
        sessionId: id,
        from: { ...from, revision },
        guidance: guidance(revision + 1, skipped),
        events: [],
      });
    expect([await advise(1, ['phenix.refine']), await advise(2, ['phenix.xtriage'])]).toEqual(['applied', 'applied']);
    await step.run({ sessionId: id, sessionVersion: 1 });
    const [cycle] = (await store.records.load(id))!.cycles;
    expect(cycle?.decision).toMatchObject({ guidance: 3 });
    expect(cycle?.decision.program).not.toBe('phenix.xtriage');
  });

  it('changes nothing when it is repeated', async () => {
    const { store, step, woken, id } = await setUp();
    await step.run({ sessionId: id, sessionVersion: 1 });
    expect(await step.run({ sessionId: id, sessionVersion: 1 })).toEqual({ outcome: 'stale' });
    expect((await store.records.load(id))?.version).toBe(2);
    expect(woken).toHaveLength(1);
  });

  it('decides once when two workers process the same step', async () => {
    const { store, step, id } = await setUp();
    const outcomes = await Promise.all([1, 2].map(() => step.run({ sessionId: id, sessionVersion: 1 })));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['advanced', 'stale']);
    expect((await store.records.load(id))?.cycles).toHaveLength(1);
  });

  it('ends a session that cannot continue, with the reason', async () => {
    const { store, step, woken, id } = await setUp([modelFile()]);
    await step.run({ sessionId: id, sessionVersion: 1 });
    expect(await store.records.load(id)).toMatchObject({
      status: 'failed',
      stop: { reason: 'red_flag', afterCycle: 0 },
    });
    expect(woken).toEqual([]);
    expect((await store.events.after(id, '0', 100)).at(-1)).toMatchObject({ type: 'session_ended' });
  });

  it('runs a program again whose output is missing from the disk, and names the file', async () => {
    const { store, step, missing } = await setUp();
    const ruleBook = projectRules();
    await store.catalogues.publish(aFullCatalogue(ruleBook));
    const built = modelFile('/work/c002/overall_best.pdb');
    const cycles = [
      aCycle({ decision: aDecision({ program: 'phenix.xtriage' }), result: aResult() }),
      aCycle({
        cycle: 2,
        decision: aDecision({ program: 'phenix.predict_and_build' }),
        // The map of the lost model still exists.
        result: aResult({
          outputs: [
            built,
            dataFile({ observations: [], mapCoefficients: ['FWT,PHWT'] }, '/work/c002/overall_best_map_coeffs.mtz'),
          ],
        }),
      }),
    ];
    const resume = { status: 'running', stage: 'deciding', cycle: 3, attempt: 1, cycles } as const;
    const decided = async (): Promise<{ program: string | undefined; warnings: readonly string[] }> => {
      const session = aNewSession({ request: aRequest({ inputs: [dataFile(), sequenceFile()] }), resume });
      await store.records.create(session, [], 1000);
      await step.run({ sessionId: session.id, sessionVersion: 1 });
      const events = await store.events.after(session.id, '0', 100);
      return {
        program: (await store.records.load(session.id))?.cycles.at(-1)?.decision.program,
        warnings: events.filter(({ type }) => type === 'warning').map(({ message }) => message),
      };
    };
    expect(await decided()).toEqual({ program: 'phenix.refine', warnings: [] });
    missing.add(built.path);
    expect(await decided()).toEqual({
      program: 'phenix.predict_and_build',
      warnings: [
        expect.stringContaining('phenix.predict_and_build has run, but what it made'),
        `Left out because they are no longer on the disk: ${built.path}`,
      ],
    });
  });

  it('leaves out a file that differs from the accepted one, and says how', async () => {
    const data = dataFile();
    const { store, step, changed, id } = await setUp([data, modelFile()]);
    changed.set(data.path, 'it had 10 bytes and now has 12');
    await step.run({ sessionId: id, sessionVersion: 1 });
    expect(await store.records.load(id)).toMatchObject({ status: 'failed', stop: { reason: 'red_flag' } });
    const warnings = (await store.events.after(id, '0', 100)).filter(({ type }) => type === 'warning');
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining(`${data.path}: it had 10 bytes and now has 12. To use`) as string,
    ]);
  });

  it('waits until an executor has published its programs', async () => {
    const { store, step, id } = await setUp([dataFile()], false);
    await expect(step.run({ sessionId: id, sessionVersion: 1 })).rejects.toMatchObject({
      code: 'programs.not_published',
      kind: 'transient',
    });
    expect((await store.records.load(id))?.stage).toBe('deciding');
  });

  it('ignores an unknown session', async () => {
    const { step } = await setUp();
    expect(await step.run({ sessionId: 'nobody', sessionVersion: 1 })).toEqual({ outcome: 'stale' });
  });
});
