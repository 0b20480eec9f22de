import { sharedRoot } from '@fleet/access';
import { SweeperConfig } from '@fleet/config';
import { Fault, type Session, type StepPayload, type StepResult } from '@fleet/contracts';
import type { RuleBook } from '@fleet/knowledge-model';
import { untraced, type BatchRecords } from '@fleet/ports';
import { Sweeper, WakeUps, type JobProducer } from '@fleet/queue';
import { makeStepPorts, runStep, SessionTurns, type SessionStep } from '@fleet/steps';
import type { MortalProcess } from '@fleet/testing';
import { changedFiles } from '../../apps/decision-worker/src/decide/changed-files';
import { DecideNextStep } from '../../apps/decision-worker/src/decide/decide-next-step';
import { missingFiles } from '../../apps/decision-worker/src/decide/missing-files';
import type { BatchRules } from '../../apps/gateway/src/batches/batch-rules';
import { BatchWorker } from '../../apps/gateway/src/batches/batch-worker';
import { ReadableFolders } from '../../apps/gateway/src/data-folders/readable-folders';
import { ruleBookKnowledge } from '../../apps/gateway/src/results/rule-book-knowledge';
import type { SessionTools } from '../../apps/gateway/src/session-tools/reopen-session';
import { SessionsController } from '../../apps/gateway/src/sessions/sessions.controller';
import type { SubmissionRules } from '../../apps/gateway/src/submission/submit-session';
import { AnalyseCycle } from '../../apps/log-analysis-worker/src/analyse/analyse-cycle';
import { OutputCollector, type CollectedOutputs } from '../../apps/log-analysis-worker/src/analyse/output-collector';
import { ExecutorHarness } from '../executor/executor-harness';
import type { TakenJob } from './memory-queues';
import type { World } from './world';
import { inspector as realInspector } from '../support/inspector';

/** Looks that change nothing. Those of a sweeper are none: they claim what they find. */
const reads =
  'load loadHead of list rows read members line stuck census lookUp sessions outcomes find probe record history after transitions'.split(
    ' ',
  );
const away = (code: Fault['code']) => ({ reads, failure: () => new Fault(code, 'transient', 'it is away') });
const ofStore = away('store.unreachable');
const ofQueue = away('queue.unreachable');
const ofFolder = { ...away('storage.unwritable'), except: ['logPath'] };
const ofBackend = { ...away('cluster.unreachable'), except: ['onChanged'] };

const dueInMs = 30_000;

/** The ports of the world, as one process has them. */
const portsOf = (world: World, life: MortalProcess) => {
  const { store } = world;
  return {
    records: life.port('records', store.records, ofStore),
    schedule: life.port('schedule', store.schedule, ofStore),
    events: life.port('events', store.events, ofStore),
    index: life.port('index', store.index, ofStore),
    catalogues: life.port('catalogues', store.catalogues, ofStore),
    batches: life.port('batches', oneByOne(store.batches), ofStore),
    slots: life.port('slots', world.slots, ofStore),
    control: life.port('control', world.control, ofStore),
    shares: life.port('shares', world.shares, ofStore),
    queues: life.port('queues', world.queues, ofQueue),
    folder: life.port('folder', world.folder, ofFolder),
    backend: life.port('backend', world.backend, ofBackend),
  };
};

/** A gateway works on the rows that it has claimed side by side: it gets one at a time, so that calls come in one order. */
const oneByOne = (batches: BatchRecords): BatchRecords =>
  Object.assign(Object.create(batches) as BatchRecords, {
    claim: (_limit: number, claimMs: number) => batches.claim(1, claimMs),
  });

type Ports = ReturnType<typeof portsOf>;

/** A gateway and one worker of each kind in one process, made of what the services are made of. */
export class Fleet {
  readonly rules: SubmissionRules;
  readonly tools: SessionTools;
  readonly batchRules: BatchRules;
  readonly batchWorker: BatchWorker;
  readonly sessions: SessionsController;
  readonly sweeper: Sweeper;
  readonly executor: ExecutorHarness;
  private readonly ports: Ports;
  private readonly steps: Readonly<Record<string, (due: StepPayload) => Promise<StepResult>>>;

  constructor(
    readonly world: World,
    readonly life: MortalProcess,
  ) {
    const ports = portsOf(world, life);
    this.ports = ports;
    const jobs = ports.queues as unknown as JobProducer;
    const wakeUps = new WakeUps(jobs);
    this.sweeper = new Sweeper(ports.schedule, jobs, wakeUps, sweeping());
    this.rules = submissionRules(world, ports, wakeUps);
    this.tools = sessionTools(world, ports, this.rules);
    this.batchRules = {
      batches: ports.batches,
      index: ports.index,
      clock: world.clock,
      submission: this.rules,
      rowsAdded: () => Promise.resolve(),
      firstStep: () => Promise.resolve(undefined),
    };
    this.batchWorker = new BatchWorker(this.batchRules);
    const nothing = {} as never;
    this.sessions = new SessionsController(ports.records, nothing, this.rules, world.clock, nothing);
    const steps = makeSteps(world, ports, wakeUps);
    this.steps = steps.byJob;
    this.executor = steps.executor;
  }

  /** Does one job of the queues. Returns whether there was one. */
  async workOnce(): Promise<boolean> {
    const { queues } = this.ports;
    const job = await queues.take();
    if (job === undefined) return false;
    try {
      await this.take(job);
    } catch {
      await queues.fail(job);
      return true;
    }
    await queues.complete(job);
    await this.life.settled();
    return true;
  }

  /** As the step runner of a worker does it. */
  private async take({ name, payload }: TakenJob): Promise<void> {
    const result = await this.steps[name]?.(payload);
    if (result?.outcome !== 'waiting') return;
    await this.ports.schedule.acknowledge(payload.sessionId, payload.sessionVersion);
  }
}

const sweeping = (): SweeperConfig =>
  Object.assign(new SweeperConfig(), { intervalMs: 1_000, graceMs: 1_000, recheckMs: 30_000, batch: 500 });

const submissionRules = (world: World, ports: Ports, wakeUps: WakeUps): SubmissionRules => ({
  records: ports.records,
  folder: ports.folder,
  clock: world.clock,
  wake: (head) => wakeUps.wake(head),
  inspector: realInspector,
  dueInMs,
  readableBy: (principal) =>
    new ReadableFolders([world.data, world.work].map(sharedRoot), principal, () => Promise.resolve([])),
  maxFiles: 20,
  workRoot: world.work,
  knowledge: ruleBookKnowledge(world.installed.ruleBook),
  mayBeLive: () => Promise.resolve(false),
  beamlinesOf: () => Promise.resolve([]),
  tracing: untraced,
  onUnkept: () => undefined,
});

const sessionTools = (world: World, { folder }: Ports, rules: SubmissionRules): SessionTools => {
  const { records, clock, wake, inspector, readableBy, maxFiles, onUnkept } = rules;
  const knowledge = ruleBookKnowledge(world.installed.ruleBook);
  const files = { inspector, readableBy, maxFiles };
  const summary = (session: Session): string => knowledge.summary(session);
  return { records, folder, clock, wake, knowledge, summary, files, live: rules, dueInMs, onUnkept };
};

/** The knowledge with one pattern a program: each process compiles all of them. */
const briefly = (ruleBook: RuleBook): RuleBook => {
  const programs = Object.entries(ruleBook.programs)
    .filter(([name]) => ran.has(name))
    .map(([name, program]) => [name, { ...program, metrics: program.metrics.slice(0, 1) }] as const);
  return { ...ruleBook, programs: Object.fromEntries(programs) };
};
const ran: ReadonlySet<string> = new Set(['phenix.xtriage', 'phenix.model_vs_data', 'phenix.refine']);

/** The steps of the three workers. */
const makeSteps = (world: World, ports: Ports, wakeUps: WakeUps) => {
  const { clock } = world;
  const { ruleBook } = world.installed;
  const { records, schedule, folder, catalogues } = ports;
  const roots = [world.data, world.work];
  const log = { error: () => undefined };
  const common = makeStepPorts({ records, schedule, folder, clock, ruleBook, wakeUps, log });
  const { keeper, wake } = common;
  const store = { ...ports, feed: world.store.feed };
  const { backend, slots, control, shares } = ports;
  const executor = new ExecutorHarness(
    backend,
    { clock, store, slots, control, shares, following: { keeper, wake } },
    { ruleBook, launches: { maxRunning: world.mostRunning } },
  );
  const decide = new DecideNextStep({
    catalogues,
    keeper,
    clock,
    graph: { decide: (asked) => world.decide(asked) },
    backend: 'local',
    missing: (session) => missingFiles(session, roots),
    changed: (session) => changedFiles(session, roots),
  });
  const outputs = new OutputCollector(realInspector);
  const collect = async (...asked: Parameters<OutputCollector['collect']>): Promise<CollectedOutputs> => {
    await world.middleOf('analyse');
    return outputs.collect(...asked);
  };
  const analyse = new AnalyseCycle({
    // Asked only by an analysis that takes longer than a second: no machine may be too slow for the number of calls.
    records: world.store.records,
    catalogues,
    folder,
    clock,
    ruleBook: briefly(ruleBook),
    backend: 'local',
    outputs: Object.assign(Object.create(outputs) as OutputCollector, { collect }),
    maxLogBytes: 1_000_000,
  });
  const taking = (step: SessionStep) => {
    const own = { ...common, turns: new SessionTurns() };
    return (due: StepPayload): Promise<StepResult> => runStep(own, step, due);
  };
  const { execute, cancel } = executor;
  return { executor, byJob: { decide: taking(decide), analyse: taking(analyse), execute, cancel } };
};
