import {
  attemptName,
  sharesPolicySchema,
  withDefaults,
  type CycleRecord,
  type Session,
  type SessionSettings,
  type SharesPolicy,
  type StepResult,
} from '@fleet/contracts';
import { problemWithLaunch } from '@fleet/commands';
import type { SiteLimits } from '@fleet/fair-shares';
import type { ProgramResources, RuleBook } from '@fleet/knowledge-model';
import { ProcessMetrics } from '@fleet/observability';
import { untraced, type ExecutionBackend, type RunSlots } from '@fleet/ports';
import { runStep, SessionTurns, type SessionStep, type StepOfSession, type StepPorts } from '@fleet/steps';
import {
  aDecision,
  anEvent,
  aNewSession,
  anId,
  aRequest,
  dataFile,
  eventually,
  ManualClock,
  MemoryLaunchControl,
  MemoryRunSlots,
  MemorySharesControl,
  MemoryStore,
  modelFile,
  someSettings,
  type StorePorts,
} from '@fleet/testing';
import { CancelSession } from '../../apps/executor-worker/src/cancel/cancel-session';
import type { MemorySteps } from '../../apps/executor-worker/src/execute/attempt-resources';
import { ExecuteAttempt } from '../../apps/executor-worker/src/execute/execute-attempt';
import { CurrentPolicy } from '../../apps/executor-worker/src/execute/current-policy';
import { GrantedRuns } from '../../apps/executor-worker/src/execute/granted-runs';
import { LaunchGate } from '../../apps/executor-worker/src/execute/launch-gate';
import { LaunchLine } from '../../apps/executor-worker/src/execute/launch-line';
import { RunMeter } from '../../apps/executor-worker/src/execute/run-meter';
import { RunEndings } from '../../apps/executor-worker/src/execute/run-endings.service';
import { ProgramCatalogueService } from '../../apps/executor-worker/src/programs/program-catalogue.service';
import { RunCount } from '../../apps/executor-worker/src/upkeep/run-count';
import { SlotPruner } from '../../apps/executor-worker/src/upkeep/slot-pruner';

/** What several executors share. */
interface SharedStores {
  readonly clock: ManualClock;
  readonly store: StorePorts;
  readonly slots: RunSlots;
  readonly control: MemoryLaunchControl;
  readonly shares: MemorySharesControl;
  /** Who keeps the files of sessions and wakes them; absent: it is written down here. */
  readonly following: Pick<StepPorts, 'keeper' | 'wake'>;
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

/** The executor's use cases over the store in memory and a backend that tests direct. */
export class ExecutorHarness {
  readonly clock: ManualClock;
  readonly store: StorePorts;
  readonly slots: RunSlots;
  readonly control: MemoryLaunchControl;
  readonly shares: MemorySharesControl;
  /** Stages that were woken. */
  readonly woken: string[] = [];
  /** Sessions whose file was written. */
  readonly written: Session[] = [];
  readonly errors: unknown[] = [];
  /** What administrators were told. */
  readonly alarms: string[] = [];
  readonly metrics = new ProcessMetrics();
  readonly pruner: SlotPruner;
  readonly catalogue: ProgramCatalogueService;
  readonly execute: (due: StepOfSession) => Promise<StepResult>;
  readonly cancel: (due: StepOfSession) => Promise<StepResult>;
  readonly endings: RunEndings;

  constructor(
    readonly backend: ExecutionBackend,
    shared: Partial<SharedStores> = {},
    given: ExecutorLimits = {},
  ) {
    this.clock = shared.clock ?? new ManualClock();
    this.store = shared.store ?? new MemoryStore(this.clock);
    this.slots = shared.slots ?? new MemoryRunSlots(this.clock);
    this.control = shared.control ?? new MemoryLaunchControl(this.clock);
    this.shares = shared.shares ?? new MemorySharesControl(this.clock);
    const { clock, slots, control } = this;
    const { records, schedule, events, index, catalogues } = this.store;
    const ports: StepPorts = {
      records,
      schedule,
      keeper: { keep: async (id) => void this.written.push(await this.load(id)) },
      wake: ({ stage }) => Promise.resolve(void this.woken.push(stage)),
      ...shared.following,
      turns: new SessionTurns(),
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
    const policy = new CurrentPolicy(
      this.shares,
      launches,
      withDefaults(sharesPolicySchema, {}) as SharesPolicy,
      clock,
    );
    const line = new LaunchLine(slots, policy);
    const granted = new GrantedRuns();
    const count = new RunCount({ slots, index, records, policy, onError });
    const gate = new LaunchGate({ slots, control, line, policy, count, pruner: this.pruner, granted, clock });
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
    this.endings = new RunEndings({ backend, records, index, execute, line, slots, control, granted, onError });
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

  async step(id: string): Promise<StepResult> {
    return this.execute({ sessionId: id, sessionVersion: (await this.load(id)).version });
  }

  /** A step that has to wait, until its user is told. */
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
