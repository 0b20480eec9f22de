import { sharesPolicySchema, type SharesPolicy } from '@fleet/contracts/launches';
import type { StepResult } from '@fleet/contracts/queues';
import { attemptName } from '@fleet/contracts/runs';
import { withDefaults } from '@fleet/contracts/schema';
import type { SessionSettings } from '@fleet/contracts/service';
import type { CycleRecord, Session } from '@fleet/contracts/sessions';
import { problemWithLaunch } from '@fleet/commands';
import type { SiteLimits } from '@fleet/fair-shares';
import type { ProgramResources, RuleBook } from '@fleet/knowledge-model';
import { ProcessMetrics } from '@fleet/observability';
import { untraced, type ExecutionBackend } from '@fleet/ports';
import { runStep, SessionMutex, type SessionStep, type StepOfSession, type StepPorts } from '@fleet/steps';
import {
  aDecision,
  anEvent,
  aNewSession,
  anId,
  aRequest,
  dataFile,
  eventually,
  ManualClock,
  modelFile,
  ScriptedBackend,
  someSettings,
  useStores,
  type StorePorts,
} from '@fleet/testing';
import { CancelSession } from '../../apps/executor-worker/src/cancel/cancel-session';
import type { MemorySteps } from '../../apps/executor-worker/src/execute/attempt-resources';
import { ExecuteAttempt } from '../../apps/executor-worker/src/execute/execute-attempt';
import { CurrentPolicy } from '../../apps/executor-worker/src/execute/current-policy';
import { GrantedRuns } from '../../apps/executor-worker/src/execute/granted-runs';
import { LaunchGate } from '../../apps/executor-worker/src/execute/launch-gate';
import { LaunchQueue } from '../../apps/executor-worker/src/execute/launch-queue';
import { RunMeter } from '../../apps/executor-worker/src/execute/run-meter';
import { RunEndings } from '../../apps/executor-worker/src/execute/run-endings.service';
import { ProgramCatalogueService } from '../../apps/executor-worker/src/programs/program-catalogue.service';
import { RunCount } from '../../apps/executor-worker/src/execute/run-count';
import { SlotPruner } from '../../apps/executor-worker/src/execute/slot-pruner';

/** What several executors share. */
interface SharedStores {
  readonly clock: ManualClock;
  readonly store: Pick<
    StorePorts,
    'records' | 'schedule' | 'events' | 'index' | 'catalogues' | 'slots' | 'launches' | 'shares'
  >;
  /** Who wakes sessions; absent: it is written down here. */
  readonly waker?: StepPorts['waker'];
}

/** What differs from an executor of one machine without limits. */
interface ExecutorLimits {
  readonly memory?: MemorySteps;
  readonly gpus?: boolean;
  readonly launches?: Partial<SiteLimits>;
  /** Commands are checked by this knowledge; absent: not at all. */
  readonly ruleBook?: RuleBook;
  /** Programs that the site does not let run, with the reason. */
  readonly withheld?: ReadonlyMap<string, string>;
  readonly program?: Partial<Pick<ProgramResources, 'class' | 'memoryMiB'>>;
}

/** Makes executors, each over a store of its own unless one is given, until the test ends. */
export const useExecutors = () => {
  const newStore = useStores();
  return (
    backend: ExecutionBackend,
    shared: Partial<SharedStores> = {},
    given: ExecutorLimits = {},
  ): ExecutorHarness => {
    const { clock = new ManualClock(), store = newStore(clock) } = shared;
    return new ExecutorHarness(backend, { ...shared, clock, store }, given);
  };
};

/** Makes executors over a scripted backend, until the test ends. */
export const useScripted = () => {
  const newExecutor = useExecutors();
  return (): { executor: ExecutorHarness; backend: ScriptedBackend } => {
    const backend = new ScriptedBackend();
    return { executor: newExecutor(backend), backend };
  };
};

/** The executor's use cases over a store and a backend that tests direct. */
export class ExecutorHarness {
  readonly clock: ManualClock;
  readonly store: SharedStores['store'];
  /** Stages that were woken. */
  readonly woken: string[] = [];
  readonly errors: unknown[] = [];
  /** Messages to administrators. */
  readonly alarms: string[] = [];
  readonly metrics = new ProcessMetrics();
  readonly pruner: SlotPruner;
  readonly catalogue: ProgramCatalogueService;
  readonly execute: (due: StepOfSession) => Promise<StepResult>;
  readonly cancel: (due: StepOfSession) => Promise<StepResult>;
  readonly endings: RunEndings;

  constructor(
    readonly backend: ExecutionBackend,
    { clock, store, waker }: SharedStores,
    given: ExecutorLimits = {},
  ) {
    this.clock = clock;
    this.store = store;
    const { records, schedule, events, index, catalogues, slots, launches: control, shares } = store;
    const ports: StepPorts = {
      records,
      schedule,
      waker: waker ?? { wake: ({ stage }) => Promise.resolve(void this.woken.push(stage)) },
      mutex: new SessionMutex(),
      clock,
      log: { error: (entry) => this.errors.push(entry) },
    };
    const taking = (step: SessionStep) => (due: StepOfSession) => runStep(ports, step, due);
    const onError = (_what: string, error: unknown): void => void this.errors.push(error);
    const limits = {
      ofProgram: () => ({ class: 'cpu', wallClockMinutes: 30, memoryMiB: 2000, cpus: 1, ...given.program }) as const,
      memory: given.memory ?? { machineMiB: 1500 },
      gpus: given.gpus ?? true,
      logBytes: 1000,
    };
    this.pruner = new SlotPruner(slots, records);
    const launches = { maxRunning: 0, maxRunningPerProposal: 0, classes: { cpu: 0, gpu: 0 }, ...given.launches };
    const policy = new CurrentPolicy(shares, launches, withDefaults(sharesPolicySchema, {}) as SharesPolicy, clock);
    const queue = new LaunchQueue(slots, policy);
    const granted = new GrantedRuns();
    const count = new RunCount({ slots, index, records, policy, onError });
    const gate = new LaunchGate({ slots, control, queue, policy, count, pruner: this.pruner, granted, clock });
    this.catalogue = new ProgramCatalogueService(backend, catalogues, clock, onError, given.withheld);
    const { catalogue } = this;
    const meter = new RunMeter(this.metrics, untraced, ['phenix.refine']);
    const attempt = new ExecuteAttempt({
      meter,
      tracing: untraced,
      backend,
      catalogue,
      limits,
      problemWith: (session, record) =>
        given.ruleBook === undefined ? undefined : problemWithLaunch(session, record, given.ruleBook),
      retries: { maxAttempts: 3, maxDisruptions: 4 },
      gate,
      slots,
      clock,
    });
    this.execute = taking(attempt);
    const alarm = (message: string): void => void this.alarms.push(message);
    this.cancel = taking(new CancelSession({ events, backend, gate, clock, alarm }));
    const { execute } = this;
    this.endings = new RunEndings({ backend, records, index, execute, queue, slots, control, granted, onError });
  }

  /** A session that has decided on a program (phenix.refine). */
  async aDecided(settings: Partial<SessionSettings> = {}, decision = aDecision(), root = '/work'): Promise<string> {
    const id = anId();
    const request = aRequest({ settings: someSettings(settings), inputs: [dataFile(), modelFile()] });
    await this.store.records.create(aNewSession({ id, folder: `${root}/mx1/${id}`, request }), [], 1000);
    const cycleRecord: CycleRecord = { cycle: 1, decision, attempts: [] };
    const to = { stage: 'executing', cycle: 1, attempt: 1 } as const;
    await this.store.records.advance({ sessionId: id, fromVersion: 1, to, cycleRecord, events: [], dueInMs: 1000 });
    return id;
  }

  async load(id: string): Promise<Session> {
    return (await this.store.records.load(id))!;
  }

  /** A step, and whatever it lets start beside it. */
  async step(id: string): Promise<StepResult> {
    const result = await this.execute({ sessionId: id, sessionVersion: (await this.load(id)).version });
    await this.endings.idle();
    return result;
  }

  /** Runs a waiting step until its user gets a message. */
  async wait(id: string): Promise<void> {
    await this.step(id);
    this.clock.forward(5_000);
    await this.step(id);
  }

  async cancelSession(id: string): Promise<StepResult> {
    await this.store.records.requestCancel(id, anEvent({ type: 'session_cancelling' }));
    return this.cancel({ sessionId: id, sessionVersion: (await this.load(id)).version });
  }

  async eventsOf(id: string): Promise<readonly string[]> {
    return (await this.store.events.after(id, '0', 100)).map(({ type }) => type);
  }
}

/** Name of an attempt of a session's first cycle. */
export const run = (id: string, attempt = 1): string => attemptName(id, 1, attempt);

/** Waits for something that happens by itself, without being told. */
export const soon = async (look: () => Promise<boolean> | boolean): Promise<void> => {
  await eventually('what happens by itself', look);
};
