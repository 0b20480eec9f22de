import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstGuidance, nextGuidance, readAdvice } from '@fleet/advice';
import { Fault, type AdviceSource, type Guidance, type Session } from '@fleet/contracts';
import { buildDecisionGraph, readByModels } from '@fleet/decision-graph';
import { loadRuleBook } from '@fleet/knowledge';
import type { RuleBook } from '@fleet/knowledge-model';
import { isoTime, unmeasured, untraced } from '@fleet/ports';
import { ModelReplyFolder } from '@fleet/session-folder';
import { MemoryModelBreaker } from '@fleet/redis';
import { makeStepPorts, runStep } from '@fleet/steps';
import {
  aFullCatalogue,
  anEvent,
  aNewSession,
  aRequest,
  dataFile,
  eventually,
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
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-reading-')));
  mkdirSync(join(root, 'work'));
});
afterEach(async () => {
  await Promise.all(planners.splice(0).map((one) => one.onApplicationShutdown()));
  rmSync(root, { recursive: true, force: true });
});
afterAll(() => models.close());

const byRules = (raw: string) => readAdvice(raw, ruleBook, { experiment: 'xray' });
const sourcesOf = (text: string): readonly AdviceSource[] => [{ from: 'text', text }];
const said = 'Call it a day after phaser.';

/** A worker whose site has models that read advice, and a session with advice that no rule reads. */
const setUp = async (
  roles = '{ planning: [site], directives: [site] }',
  settings: Parameters<typeof someSettings>[0] = {},
) => {
  const workRoot = join(root, 'work');
  const file = join(root, 'models.yaml');
  const target = `{ id: site, protocol: openai, base_url: "http://127.0.0.1:${models.port}/v1", model: scripted, local: true }`;
  writeFileSync(file, `targets: [${target}]\nroles: ${roles}`);
  const clock = new ManualClock();
  const store = new MemoryStore(clock);
  await store.catalogues.publish(aFullCatalogue(ruleBook));
  const folder = { writeSession: () => Promise.resolve(), writeSummary: () => Promise.resolve('') };
  const log = { error: () => undefined };
  const wakeUps = { wake: () => Promise.resolve() };
  const { records, schedule } = store;
  const ports = makeStepPorts({ records, schedule, folder, ruleBook, wakeUps, clock, log });
  const notes: string[] = [];
  const ledger = new MemoryModelLedger(new MemoryLedgerState());
  const lane = new ModelLane();
  const site = new SitePlanner(
    { file },
    { workRoot },
    {
      replies: new ModelReplyFolder(workRoot, { keys: [] }),
      ledger,
      breaker: new MemoryModelBreaker(() => clock.now()),
      metrics: unmeasured,
      tracing: untraced,
      lane,
    },
    ports,
    { log: (text: string) => void notes.push(text), warn: (entry: unknown) => void notes.push(JSON.stringify(entry)) },
  );
  planners.push(site);
  const reader = site.reader(ruleBook);
  const decide = new DecideNextStep({
    catalogues: store.catalogues,
    keeper: ports.keeper,
    clock,
    graph: buildDecisionGraph({ ruleBook }),
    ...(reader !== undefined && { readAdvice: readByModels(reader) }),
    backend: 'local',
    missing: () => Promise.resolve(new Set()),
    changed: () => Promise.resolve(new Map()),
  });
  const guidance = firstGuidance({ sources: sourcesOf(said) }, byRules, isoTime(clock));
  const inputs = [dataFile(), sequenceFile(), modelFile('/data/template.pdb')];
  const made = aNewSession({
    request: aRequest({ inputs, settings: someSettings(settings) }),
    ...(guidance !== undefined && { guidance }),
  });
  await records.create(made, [], 1000);
  const now = async (): Promise<Session> => {
    const session = await records.load(made.id);
    if (session === undefined) throw new Error('the session is gone');
    return session;
  };
  const step = async (from = ports) => {
    const { id, version } = await now();
    return runStep(from, decide, { sessionId: id, sessionVersion: version });
  };
  const advise = async (text: string) => {
    const session = await now();
    const next: Guidance | undefined = nextGuidance(session, { sources: sourcesOf(text) }, byRules, isoTime(clock));
    if (next === undefined) throw new Error('nothing new was said');
    const { id: sessionId, stage, cycle } = session;
    const from = { revision: next.revision - 1, stage, cycle };
    return records.advise({ sessionId, from, guidance: next, events: [anEvent({ type: 'advice_read' })] });
  };
  const replies = () => readdirSync(join(workRoot, made.request.proposal, made.id, 'models'));
  const events = () => store.events.after(made.id, '0', 100);
  const processor = new DecideProcessor(ports, decide, lane);
  return { clock, ports, records, ledger, lane, site, step, now, advise, replies, events, processor, notes };
};

const ending = (program: string, words: string) => ({
  say: JSON.stringify({ wishes: [{ field: 'stop_conditions.after_program', value: program, words }] }),
});
const reading = ending('phenix.phaser', 'Call it a day after phaser');

describe('a decision worker whose models read advice', () => {
  it('reads what none has read, moves to the same place with it, and decides by it', async () => {
    models.play(reading);
    const { step, now, replies, events, notes, ledger } = await setUp();
    expect(notes[1]).toBe(`Asked to read advice, in this order: site (scripted at 127.0.0.1:${models.port}, local).`);
    expect(await step()).toEqual({ outcome: 'advanced' });
    const read = await now();
    expect(read).toMatchObject({ stage: 'deciding', cycle: 1, attempt: 1, version: 2, cycles: [] });
    expect(read.guidance).toMatchObject({
      revision: 1,
      reader: 'model',
      reading: { directives: { stop_conditions: { after_program: 'phenix.phaser' } } },
      modelReading: { requests: 1, target: 'site', model: 'scripted' },
    });
    expect(replies()).toEqual([`c001-read-${read.guidance?.modelReading?.hash?.slice(0, 16) ?? ''}.json`]);
    const told = (await events()).find(({ type }) => type === 'advice_read');
    expect(told).toMatchObject({ data: { reader: 'model', revision: 1 } });
    expect(told?.message).toContain('The session ends when phenix.phaser has succeeded. (read by a model)');
    expect(await step()).toEqual({ outcome: 'advanced' });
    expect(await now()).toMatchObject({ stage: 'executing', cycles: [{ decision: { guidance: 1 } }] });
    expect(models.requests).toHaveLength(1);
    expect(await ledger.entries(read.id)).toMatchObject([{ work: 'c001-read', came: 'answered' }]);
  });

  it('pays once for a step that died behind the reply', async () => {
    models.play(reading, { say: '{"wishes":[]}' });
    const { step, now, ports } = await setUp();
    const killed = new Fault('store.unavailable', 'transient', 'killed');
    const dying = {
      ...ports,
      records: {
        load: ports.records.load.bind(ports.records),
        loadHead: ports.records.loadHead.bind(ports.records),
        advance: () => Promise.reject(killed),
      },
    };
    await expect(step(dying)).rejects.toThrow('killed');
    expect(await step()).toEqual({ outcome: 'advanced' });
    const { guidance } = await now();
    expect(guidance?.reading.directives.stop_conditions).toEqual({ after_program: 'phenix.phaser' });
    expect(guidance?.modelReading).toMatchObject({ requests: 0, target: 'site' });
    expect(models.requests).toHaveLength(1);
  });

  it('waits for a model where the submitter waits for one, and reads once it is back', async () => {
    models.play({ fault: 'overloaded' });
    const { step, now, clock } = await setUp(undefined, { model_outage: 'wait' });
    expect(await step()).toEqual({ outcome: 'waiting' });
    const waits = await now();
    expect(waits).toMatchObject({ stage: 'deciding', cycle: 1, cycles: [], guidance: { reader: 'rules' } });
    expect(waits.guidance).not.toHaveProperty('modelReading');
    expect(waits.waiting?.because).toContain('site: ');
    models.play(reading);
    clock.forward(600_000);
    expect(await step()).toEqual({ outcome: 'advanced' });
    const read = await now();
    expect(read).toMatchObject({ stage: 'deciding', guidance: { reader: 'model' } });
    expect(read.waiting).toBeUndefined();
  });

  it('reads new advice again: while a model reads what was said before, and after it', async () => {
    models.play({ fault: 'hang' }, ending('phenix.autosol', 'Call it a day after autosol'));
    const { step, now, advise } = await setUp();
    const stepping = step();
    await eventually('a request', () => models.requests.length > 0);
    expect(await advise('Call it a day after autosol.')).toBe('applied');
    expect(await stepping).toEqual({ outcome: 'advanced' });
    expect((await now()).guidance).toMatchObject({
      revision: 2,
      reader: 'model',
      reading: { directives: { stop_conditions: { after_program: 'phenix.autosol' } } },
    });
    expect(models.requests).toHaveLength(2);
    models.play(reading);
    await advise(said);
    expect((await now()).guidance).toMatchObject({ revision: 3, reader: 'rules' });
    expect(await step()).toEqual({ outcome: 'advanced' });
    expect((await now()).guidance).toMatchObject({ revision: 3, reader: 'model' });
  });

  it('holds no place of its queue while a call hangs, and hands the step back when it ends', async () => {
    models.play({ fault: 'hang' });
    const { processor, site, lane, now } = await setUp();
    const { id, version } = await now();
    const payload = { version: 1, sessionId: id, sessionVersion: version } as const;
    expect(await processor.handle(payload)).toEqual({ outcome: 'waiting' });
    await eventually('a request', () => models.requests.length > 0);
    site.onModuleDestroy();
    await lane.beforeApplicationShutdown();
    expect(await now()).toMatchObject({ version: 1, guidance: { reader: 'rules' } });
    expect((await now()).guidance).not.toHaveProperty('modelReading');
  });

  it('continues with what the rules have read where the models answer with nonsense', async () => {
    models.play({ say: 'It wants phaser.' });
    const { step, now } = await setUp();
    const before = await now();
    expect(await step()).toEqual({ outcome: 'advanced' });
    const { guidance } = await now();
    expect(guidance).toMatchObject({
      ...before.guidance,
      modelReading: { failed: 'model_invalid', requests: 3 },
    });
    expect(await step()).toEqual({ outcome: 'advanced' });
    expect((await now()).stage).toBe('executing');
    expect(models.requests).toHaveLength(3);
  });

  it('asks nobody where no model has the role', async () => {
    models.play(reading);
    const { step, now, site } = await setUp('{ planning: [site] }');
    expect(site.reader(ruleBook)).toBeUndefined();
    expect(await step()).toEqual({ outcome: 'advanced' });
    expect(await now()).toMatchObject({ stage: 'executing', guidance: { reader: 'rules' } });
    expect(models.requests).toEqual([]);
  });
});
