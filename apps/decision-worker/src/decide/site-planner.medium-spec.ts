import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fault, type SessionEvent } from '@fleet/contracts';
import { buildDecisionGraph, chooseByModels } from '@fleet/decision-graph';
import { loadRuleBook } from '@fleet/knowledge';
import type { RuleBook } from '@fleet/knowledge-model';
import { ProcessMetrics } from '@fleet/observability';
import { untraced, type NewSession } from '@fleet/ports';
import { ModelReplyFolder } from '@fleet/session-folder';
import { MemoryModelBreaker } from '@fleet/redis';
import { makeStepPorts, runStep } from '@fleet/steps';
import {
  aCycle,
  aDecision,
  aFullCatalogue,
  anEvent,
  aNewSession,
  aRequest,
  aResult,
  dataFile,
  eventually,
  ManualClock,
  MemoryLedgerState,
  MemoryModelLedger,
  MemoryStore,
  modelFile,
  ScriptedModels,
  sequenceFile,
} from '@fleet/testing';
import { DecideNextStep } from './decide-next-step';
import { DecideProcessor } from './decide.processor';
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
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-planner-')));
  mkdirSync(join(root, 'work'));
});
afterEach(async () => {
  await Promise.all(planners.splice(0).map((one) => one.onApplicationShutdown()));
  rmSync(root, { recursive: true, force: true });
});
afterAll(() => models.close());

const yaml = (port: number): string =>
  [
    'local_only: true',
    `targets: [{ id: site, protocol: openai, base_url: "http://127.0.0.1:${port}/v1", model: scripted, local: true, first_s: 20 }]`,
    'roles: { planning: [site] }',
  ].join('\n');

/** A worker with the models of a file, and a session whose next decision leaves a choice. */
const setUp = async (port = models.port, withModels = true) => {
  const workRoot = join(root, 'work');
  const file = join(root, 'models.yaml');
  writeFileSync(file, yaml(port));
  const clock = new ManualClock();
  const store = new MemoryStore(clock);
  await store.catalogues.publish(aFullCatalogue(ruleBook));
  const folder = { writeSession: () => Promise.resolve(), writeSummary: () => Promise.resolve('') };
  const log = { error: () => undefined };
  const woken: string[] = [];
  const wakeUps = { wake: ({ id }: { readonly id: string }) => Promise.resolve(void woken.push(id)) };
  const { records, schedule } = store;
  const ports = makeStepPorts({ records, schedule, folder, ruleBook, wakeUps, clock, log });
  const said: string[] = [];
  const ledgers = new MemoryLedgerState();
  const breaker = new MemoryModelBreaker();
  const metrics = new ProcessMetrics();
  const cycles = [
    aCycle({ decision: aDecision({ program: 'phenix.xtriage' }), result: aResult({ metrics: { resolution: 2.1 } }) }),
  ];
  const resume = { status: 'running', stage: 'deciding', cycle: 2, attempt: 1, cycles } as const;
  const inputs = [dataFile(), sequenceFile(), modelFile('/data/template.pdb')];
  const session = aNewSession({ request: aRequest({ inputs }), resume });
  await records.create(session, [], 1000);
  /** One more process at the same store. */
  const worker = () => {
    const ledger = new MemoryModelLedger(ledgers);
    const lane = new ModelLane();
    const site = new SitePlanner(
      withModels ? { file } : {},
      { workRoot },
      { replies: new ModelReplyFolder(workRoot, { keys: [] }), ledger, breaker, metrics, tracing: untraced, lane },
      ports,
      { log: (text: string) => void said.push(text), warn: (entry: unknown) => void said.push(JSON.stringify(entry)) },
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
    const step = () => runStep(ports, decide, { sessionId: session.id, sessionVersion: 1 });
    const processor = new DecideProcessor(ports, decide, lane);
    return { site, ledger, decide, step, lane, processor };
  };
  const decision = async () => (await records.load(session.id))?.cycles[1]?.decision;
  const events = async (): Promise<readonly SessionEvent[]> => store.events.after(session.id, '0', 100);
  const replies = () => readdirSync(join(workRoot, session.request.proposal, session.id, 'models'));
  const work = { session: session.id, proposal: session.request.proposal, name: 'c002-plan' };
  return { ...worker(), worker, woken, resume, said, decision, events, replies, store, session, ports, work, metrics };
};

/** Waits until the model was asked so often. */
const requested = (count = 1): Promise<unknown> => eventually('a request', () => models.requests.length >= count);

const choosing = (program: string) => ({
  say: JSON.stringify({ program, reasons: 'The template is poor.', strategy: [], confidence: 'low' }),
});

describe('a decision worker with models', () => {
  it('asks the site’s model, does what it chose, and keeps its reply', async () => {
    models.play(choosing('phenix.predict_and_build'));
    const { said, step, decision, replies, metrics } = await setUp();
    expect(said).toEqual([
      `Asked for the next program, in this order: site (scripted at 127.0.0.1:${models.port}, local).`,
    ]);
    expect(await step()).toEqual({ outcome: 'advanced' });
    const made = await decision();
    expect(made).toMatchObject({ program: 'phenix.predict_and_build', decidedBy: 'model', confidence: 'low' });
    expect(made?.planning).toMatchObject({ requests: 1, target: 'site', model: 'scripted' });
    expect(replies()).toEqual([`c002-plan-${made?.planning?.hash?.slice(0, 16) ?? ''}.json`]);
    expect(models.requests).toHaveLength(1);
    expect(await metrics.page()).toContain('model_requests_total{target="site",came="answered"} 1\n');
  });

  it('pays once for a step that died behind the reply', async () => {
    models.play(choosing('phenix.predict_and_build'), choosing('phenix.phaser'));
    const { ports, decide, session, decision } = await setUp();
    const killed = new Fault('store.unavailable', 'transient', 'killed');
    const records = {
      ...ports.records,
      load: ports.records.load.bind(ports.records),
      advance: () => Promise.reject(killed),
    };
    const due = { sessionId: session.id, sessionVersion: 1 };
    await expect(runStep({ ...ports, records }, decide, due)).rejects.toThrow('killed');
    expect(await runStep(ports, decide, due)).toEqual({ outcome: 'advanced' });
    expect(await decision()).toMatchObject({ program: 'phenix.predict_and_build', planning: { requests: 0 } });
    expect(models.requests).toHaveLength(1);
  });

  it('decides once and pays once where two workers take the same step at the same moment', async () => {
    models.play({ ...choosing('phenix.predict_and_build'), paceMs: 20 }, choosing('phenix.phaser'));
    const { step, worker, decision, ledger, session } = await setUp();
    const outcomes = await Promise.all([step(), worker().step()]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['advanced', 'stale']);
    expect(await decision()).toMatchObject({ program: 'phenix.predict_and_build', decidedBy: 'model' });
    expect(models.requests).toHaveLength(1);
    expect(await ledger.entries(session.id)).toMatchObject([{ number: 1, work: 'c002-plan', came: 'answered' }]);
  });

  it('marks the request of a worker that was killed during its call as lost, and asks again', async () => {
    models.play(choosing('phenix.predict_and_build'));
    const { step, worker, decision, ledger, session, work } = await setUp();
    const killed = worker().ledger;
    await killed.hold(work);
    const asked = { target: 'site', model: 'scripted', prompt: 'plan 1', hash: 'ab', at: '2026-11-23T08:00:00Z' };
    await killed.reserve(work, asked, { requests: 1, tokens: 9, cost: 0 }, {});
    killed.fallSilent();
    expect(await step()).toEqual({ outcome: 'advanced' });
    expect(await decision()).toMatchObject({ decidedBy: 'model', planning: { requests: 1 } });
    expect((await ledger.entries(session.id)).map(({ came }) => came)).toEqual(['lost', 'answered']);
  });

  it('hands the step back when another worker has taken the work from it', async () => {
    models.play({ fault: 'hang' });
    const { step, worker, ledger, work, decision } = await setUp();
    const stepping = expect(step()).rejects.toMatchObject({ code: 'decision.handed_back', kind: 'transient' });
    await requested();
    ledger.fallSilent();
    await worker().ledger.hold(work);
    await stepping;
    expect(await decision()).toBeUndefined();
  });

  it('follows the rules where nobody answers, and says so; from then on it asks nobody', async () => {
    const { step, decision, events, session, decide, store } = await setUp(1);
    const asItWas = await store.records.load(session.id);
    if (asItWas === undefined) throw new Error('the session is gone');
    await step();
    expect(await decision()).toMatchObject({
      decidedBy: 'rules',
      planning: { failed: 'model_unavailable', requests: 2 },
    });
    expect((await events()).map(({ message }) => message).join('\n')).toContain('The rules chose, for no model gave');
    const next = await decide.work(asItWas);
    expect(next).toHaveProperty('cycleRecord.decision.planning.failed', 'model_unavailable');
    expect(next).toHaveProperty('cycleRecord.decision.planning.requests', 0);
  });

  it('ends a call that hangs when the process ends, and hands the step back', async () => {
    models.play({ fault: 'hang' });
    const { site, step, decision } = await setUp();
    const stepping = expect(step()).rejects.toMatchObject({ code: 'decision.handed_back', kind: 'transient' });
    await requested();
    site.onModuleDestroy();
    await stepping;
    expect(await decision()).toBeUndefined();
  });

  it('ends a call that hangs when its session is cancelled', async () => {
    models.play({ fault: 'hang' });
    const { step, store, session } = await setUp();
    const stepping = step();
    await requested();
    await store.records.requestCancel(session.id, anEvent({ type: 'session_cancelling' }));
    expect(await stepping).toEqual({ outcome: 'stale' });
  });
});

describe('a decision worker with slow models', () => {
  it('ends a wait between two rounds at once when nobody wants the answer any more', async () => {
    const { site } = await setUp();
    const ending = new AbortController();
    const aDay = 86_400_000;
    const waiting = site.planner(ruleBook)?.sleep(aDay, ending.signal);
    ending.abort();
    await waiting;
    await site.planner(ruleBook)?.sleep(aDay, ending.signal);
  });

  it('continues beside eight calls that hang, and gives them back when it ends', async () => {
    models.play({ fault: 'hang' });
    const { processor, site, lane, store, session, resume, woken } = await setUp();
    const { request } = session;
    const created = async (one: NewSession) => {
      await store.records.create(one, [], 1000);
      return { version: 1, sessionId: one.id, sessionVersion: 1 } as const;
    };
    const slow = await Promise.all(Array.from({ length: 8 }, () => created(aNewSession({ request, resume }))));
    const handled = await Promise.all(slow.map((due) => processor.handle(due)));
    expect(handled).toEqual(slow.map(() => ({ outcome: 'waiting' })));
    await requested(slow.length);
    // Its first decision leaves no choice.
    expect(await processor.handle(await created(aNewSession({ request })))).toEqual({ outcome: 'advanced' });
    woken.length = 0;
    site.onModuleDestroy();
    await lane.beforeApplicationShutdown();
    expect(woken.toSorted()).toEqual(slow.map(({ sessionId }) => sessionId).toSorted());
    for (const { sessionId } of slow) expect((await store.records.load(sessionId))?.cycles).toHaveLength(1);
  });

  it('ends a call when its session is cancelled, though its job is done already', async () => {
    models.play({ fault: 'hang' });
    const { processor, lane, store, session } = await setUp();
    expect(await processor.handle({ version: 1, sessionId: session.id, sessionVersion: 1 })).toEqual({
      outcome: 'waiting',
    });
    await requested();
    await store.records.requestCancel(session.id, anEvent({ type: 'session_cancelling' }));
    await lane.beforeApplicationShutdown();
    expect((await store.records.load(session.id))?.status).toBe('cancelling');
  });
});

describe('a decision worker without models', () => {
  it('says so once, and decides as usual', async () => {
    models.play(choosing('phenix.predict_and_build'));
    const { said, site, step, decision } = await setUp(models.port, false);
    expect(said).toEqual(['The rules decide alone: FLEET_MODELS_FILE is not set, and no model is asked.']);
    expect(site.planner(ruleBook)).toBeUndefined();
    await step();
    const made = await decision();
    expect(made?.decidedBy).toBe('rules');
    expect(Object.keys(made ?? {})).not.toContain('planning');
    expect(models.requests).toEqual([]);
  });
});
