import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fault } from '@fleet/contracts';
import { buildDecisionGraph, chooseByModels } from '@fleet/decision-graph';
import { loadRuleBook } from '@fleet/knowledge';
import type { RuleBook } from '@fleet/knowledge-model';
import { unmeasured, untraced } from '@fleet/ports';
import { ModelReplyFolder } from '@fleet/session-folder';
import { MemoryModelBreaker } from '@fleet/redis';
import { makeStepPorts, runStep } from '@fleet/steps';
import {
  aCycle,
  aDecision,
  aFullCatalogue,
  aGuidance,
  anEvent,
  aNewSession,
  aRequest,
  aResult,
  dataFile,
  ManualClock,
  MemoryLedgerState,
  MemoryModelLedger,
  MemoryStore,
  modelFile,
  ScriptedModels,
  sequenceFile,
  someSettings,
} from '@fleet/testing';
import { DecideNextStep } from './decide-next-step';
import { ModelLane } from './model-lane';
import { SitePlanner } from './site-planner';

let ruleBook: RuleBook;
let models: ScriptedModels;
let root: string;
const planners: SitePlanner[] = [];

beforeAll(async () => {
  ruleBook = await loadRuleBook(join(__dirname, '../../../../knowledge'));
  models = await ScriptedModels.start();
});
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-outage-')));
});
afterEach(async () => {
  await Promise.all(planners.splice(0).map((one) => one.onApplicationShutdown()));
  rmSync(root, { recursive: true, force: true });
});
afterAll(() => models.close());

const choosing = (program: string) => ({
  say: JSON.stringify({ program, reasons: 'The template is poor.', strategy: [], confidence: 'low' }),
});

/** Workers with one target, and a session that waits for it, whose next decision leaves a choice. */
const setUp = async () => {
  const file = join(root, 'models.yaml');
  const target = `{ id: site, protocol: openai, base_url: "http://127.0.0.1:${models.port}/v1", model: scripted, local: true }`;
  writeFileSync(file, `targets: [${target}]\nroles: { planning: [site] }\n`);
  const clock = new ManualClock();
  const store = new MemoryStore(clock);
  await store.catalogues.publish(aFullCatalogue(ruleBook));
  const folder = { writeSession: () => Promise.resolve(), writeSummary: () => Promise.resolve('') };
  const wakeUps = { wake: () => Promise.resolve() };
  const { records, schedule } = store;
  const ports = makeStepPorts({
    records,
    schedule,
    folder,
    ruleBook,
    wakeUps,
    clock,
    log: { error: () => undefined },
  });
  const ledgers = new MemoryLedgerState();
  const breaker = new MemoryModelBreaker(() => clock.now());
  const result = aResult({ metrics: { resolution: 2.1 } });
  const cycles = [aCycle({ decision: aDecision({ program: 'phenix.xtriage' }), result })];
  const inputs = [dataFile(), sequenceFile(), modelFile('/data/template.pdb')];
  const session = aNewSession({
    request: aRequest({ inputs, settings: someSettings({ model_outage: 'wait' }) }),
    resume: { status: 'running', stage: 'deciding', cycle: 2, attempt: 1, cycles },
  });
  await records.create(session, [], 1000);
  /** One more process at the same store. */
  const worker = () => {
    const site = new SitePlanner(
      { file },
      { workRoot: root },
      {
        replies: new ModelReplyFolder(root, { keys: [] }),
        ledger: new MemoryModelLedger(ledgers),
        breaker,
        metrics: { ...unmeasured, declare: () => undefined },
        tracing: untraced,
        lane: new ModelLane(),
      },
      ports,
      { log: () => undefined, warn: () => undefined },
    );
    planners.push(site);
    const planner = site.planner(ruleBook);
    const decide = new DecideNextStep({
      catalogues: store.catalogues,
      keeper: ports.keeper,
      clock,
      graph: buildDecisionGraph({ ruleBook, ...(planner !== undefined && { choose: chooseByModels(planner) }) }),
      backend: 'local',
      missing: () => Promise.resolve(new Set()),
      changed: () => Promise.resolve(new Map()),
    });
    const step = (sessionVersion = 1) => runStep(ports, decide, { sessionId: session.id, sessionVersion });
    return { decide, step };
  };
  const load = () => records.load(session.id);
  const decision = async () => (await load())?.cycles[1]?.decision;
  const events = () => store.events.after(session.id, '0', 100);
  /** Whom the sweeper of any worker wakes after so many seconds. */
  const due = async (seconds: number) => {
    clock.forward(seconds * 1_000);
    return (await schedule.overdue(10)).map(({ id, version }) => ({ id, version }));
  };
  return { ...worker(), worker, load, due, decision, events, store, session, ports, clock };
};

/** The same, behind a first look in vain. */
const down = async () => {
  models.play({ fault: 'overloaded' });
  const all = await setUp();
  expect(await all.step()).toEqual({ outcome: 'waiting' });
  return all;
};

describe('a session that waits for models', () => {
  it('says since when and why, is looked at again, and is decided by the model when its target is back', async () => {
    const { load, due, events, step, session, decision, worker } = await down();
    const waits = await load();
    expect(waits).toMatchObject({ stage: 'deciding', cycle: 2, attempt: 1, version: 2 });
    expect(waits?.waiting?.because).toContain('site: ');
    expect((await events()).map(({ type, message }) => `${type} ${message}`)).toEqual([
      `warning The decision waits for a language model: ${waits?.waiting?.because ?? ''}`,
    ]);
    expect([await due(29), await due(1)]).toEqual([[], [{ id: session.id, version: 2 }]]);
    // Still down: nothing is told again, and it waits since then.
    expect(await step(2)).toEqual({ outcome: 'waiting' });
    expect((await load())?.waiting).toEqual(waits?.waiting);
    expect(await events()).toHaveLength(1);
    // Its worker is gone; another one is woken, and the target is back.
    models.play(choosing('phenix.predict_and_build'));
    expect(await due(300)).toEqual([{ id: session.id, version: 2 }]);
    expect(await worker().step(2)).toEqual({ outcome: 'advanced' });
    expect(await decision()).toMatchObject({ program: 'phenix.predict_and_build', decidedBy: 'model' });
    const after = await load();
    expect(after).toMatchObject({ stage: 'executing', cycle: 2, attempt: 1, version: 3 });
    expect(after).not.toHaveProperty('waiting');
    expect(models.requests).toHaveLength(1);
  });

  it('asks its target no more than the breaker lets it', async () => {
    const { due, step } = await down();
    const asked = models.requests.length;
    for (let look = 0; look < 5; look += 1) {
      await due(5);
      expect(await step(2)).toEqual({ outcome: 'waiting' });
    }
    expect(models.requests).toHaveLength(asked);
  });

  it('is cancelled while it waits', async () => {
    const { load, step, store, session } = await down();
    await store.records.requestCancel(session.id, anEvent({ type: 'session_cancelling' }));
    const cancelling = await load();
    expect(cancelling).toMatchObject({ status: 'cancelling', version: 3 });
    expect(cancelling).not.toHaveProperty('waiting');
    expect(await step(2)).toEqual({ outcome: 'stale' });
  });

  it('follows advice that came while it waited', async () => {
    const { store, session, due, step, decision } = await down();
    const guidance = aGuidance({ revision: 2 });
    const from = { revision: 1, stage: 'deciding', cycle: 2 } as const;
    expect(await store.records.advise({ sessionId: session.id, from, guidance, events: [] })).toBe('applied');
    models.play(choosing('phenix.predict_and_build'));
    expect(await due(30)).toHaveLength(1);
    expect(await step(2)).toEqual({ outcome: 'advanced' });
    expect(await decision()).toMatchObject({ decidedBy: 'model', guidance: 2 });
  });

  it('is taken by another worker where its own is killed at the end of a look', async () => {
    models.play({ fault: 'overloaded' });
    const { ports, decide, session, worker, store, clock } = await setUp();
    const killed = new Fault('store.unavailable', 'transient', 'killed');
    const records = {
      ...ports.records,
      load: ports.records.load.bind(ports.records),
      advance: () => Promise.reject(killed),
    };
    const due = { sessionId: session.id, sessionVersion: 1 };
    await expect(runStep({ ...ports, records }, decide, due)).rejects.toThrow('killed');
    expect(await store.records.load(session.id)).toMatchObject({ version: 1, stage: 'deciding' });
    clock.forward(30_000);
    expect(await store.schedule.overdue(10)).toMatchObject([{ id: session.id, version: 1 }]);
    expect(await worker().step()).toEqual({ outcome: 'waiting' });
    expect((await store.records.load(session.id))?.waiting).toBeDefined();
  });
});
