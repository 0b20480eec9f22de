import { sharedRoot } from '@fleet/access';
import { WorkOnRow, type BatchPorts } from '@fleet/batches';
import { SweeperConfig } from '@fleet/config';
import { Fault } from '@fleet/contracts/faults';
import type { StepPayload, StepResult } from '@fleet/contracts/queues';
import { ReadableFolders } from '@fleet/data-folders';
import type { RuleBook } from '@fleet/knowledge-model';
import { untraced, type BatchRecords, type OwedFiles } from '@fleet/ports';
import { CancelSession, FolderFollower, SubmitSession, type SessionPorts } from '@fleet/sessions';
import { Sweeper, WakeUps, type JobProducer } from '@fleet/queue';
import { runStep, SessionMutex, type SessionStep } from '@fleet/steps';
import type { MortalProcess } from '@fleet/testing';
import { changedFiles } from '../../apps/decision-worker/src/decide/changed-files';
import { DecideNextStep } from '../../apps/decision-worker/src/decide/decide-next-step';
import { missingFiles } from '../../apps/decision-worker/src/decide/missing-files';
import { BatchWorker } from '../../apps/gateway/src/routes/batches/batch-worker';
import { ruleBookKnowledge } from '../../apps/gateway/src/routes/results/rule-book-knowledge';
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
    owedFiles: life.port('owedFiles', oneOwed(store.owedFiles), ofStore),
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

/** The same of sessions whose files are owed. */
const oneOwed = (owed: OwedFiles): OwedFiles => ({
  claim: (_limit, claimMs) => owed.claim(1, claimMs),
  settle: (written) => owed.settle(written),
});

type Ports = ReturnType<typeof portsOf>;

/** A gateway and one worker of each kind in one process, made of what the services are made of. */
export class Fleet {
  readonly sessions: SessionPorts;
  readonly batches: BatchPorts;
  readonly batchWorker: BatchWorker;
  readonly sweeper: Sweeper;
  readonly follower: FolderFollower;
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
    this.sessions = sessionPorts(world, ports, wakeUps);
    const { records, folder, owedFiles: owed } = ports;
    const { knowledge } = this.sessions;
    this.follower = new FolderFollower({ records, folder, knowledge, owed, onUnwritten: () => undefined });
    this.batches = {
      batches: ports.batches,
      index: ports.index,
      sessions: this.sessions,
      submitting: new SubmitSession(this.sessions),
      cancelling: new CancelSession(this.sessions),
      firstSteps: { of: () => Promise.resolve(undefined) },
      limiter: { chargeSubmissions: () => Promise.resolve() },
      log: { error: () => undefined },
    };
    this.batchWorker = new BatchWorker(ports.batches, new WorkOnRow(this.batches));
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

const sessionPorts = (world: World, ports: Ports, waker: WakeUps): SessionPorts => ({
  records: ports.records,
  folder: ports.folder,
  clock: world.clock,
  waker,
  inspector: realInspector,
  readableBy: (principal) =>
    new ReadableFolders([world.data, world.work].map(sharedRoot), principal, () => Promise.resolve([])),
  knowledge: ruleBookKnowledge(world.installed.ruleBook),
  members: { beamlinesOf: () => Promise.resolve([]) },
  shares: { mayBeLive: () => Promise.resolve(false) },
  tracing: untraced,
  limits: { maxFiles: 20, workRoot: world.work, dueInMs },
});

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
  const common = { records, schedule, clock, waker: wakeUps, log };
  const { backend, control: launches } = ports;
  const executor = new ExecutorHarness(
    backend,
    { clock, store: { ...ports, launches }, waker: wakeUps },
    { ruleBook, launches: { maxRunning: world.mostRunning } },
  );
  const decide = new DecideNextStep({
    catalogues,
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
    const own = { ...common, mutex: new SessionMutex() };
    return (due: StepPayload): Promise<StepResult> => runStep(own, step, due);
  };
  const { execute, cancel } = executor;
  return { executor, byJob: { decide: taking(decide), analyse: taking(analyse), execute, cancel } };
};
