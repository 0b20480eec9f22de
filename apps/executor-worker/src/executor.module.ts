import {
  BackendConfig,
  ConfigModule,
  DatabaseConfig,
  ExecutorConfig,
  KnowledgeConfig,
  KubernetesConfig,
  RedisConfig,
  SharesConfig,
  StorageConfig,
  workerSections,
  type Environment,
} from '@fleet/config';
import { problemWithLaunch } from '@fleet/commands';
import { Queues } from '@fleet/contracts/queues';
import { loadRuleBook } from '@fleet/knowledge';
import { compoundParameter, joinedSlots, type RuleBook } from '@fleet/knowledge-model';
import { HealthModule, TracingModule } from '@fleet/observability';
import {
  CLOCK,
  LAUNCH_CONTROL,
  METRICS,
  ORPHAN_REGISTER,
  PROGRAM_CATALOGUES,
  RUN_SLOTS,
  SESSION_EVENTS,
  SESSION_INDEX,
  SESSION_RECORDS,
  TRACING,
  type Clock,
  type Metrics,
  type Tracing,
} from '@fleet/ports';
import { QueueModule, QueueWorkerModule, StepsProbe, WakeUps } from '@fleet/queue';
import { SessionFolderModule, WorkRootProbe, WorkVolume } from '@fleet/session-folder';
import { RedisModule, RedisProbe } from '@fleet/redis';
import { DatabaseProbe, StoreModule } from '@fleet/store';
import { runStep, STEP_PORTS, stepPortsProvider, type StepOfSession, type StepPorts } from '@fleet/steps';
import { provided, providedWith } from '@fleet/wiring';
import { Inject, Injectable, Logger, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CancelProcessor } from './cancel/cancel.processor';
import { CancelSession } from './cancel/cancel-session';
import { ExecuteAttempt, type ExecuteDependencies } from './execute/execute-attempt';
import { ExecuteProcessor } from './execute/execute.processor';
import { GrantedRuns } from './execute/granted-runs';
import type { ExecutionLimits } from './execute/plan-run';
import { LaunchGate } from './execute/launch-gate';
import { LaunchQueue } from './execute/launch-queue';
import { RunMeter } from './execute/run-meter';
import { RunEndings } from './execute/run-endings.service';
import { EXECUTION_BACKEND, EXECUTION_SITE, type ExecutionSite } from './execution-site';
import { ExecutorLifecycle } from './executor-lifecycle';
import { inputRoots } from './input-roots';
import { makeKubernetesSite } from './kubernetes-backend.factory';
import { launchProviders } from './launch-providers';
import { makeLocalSite } from './local-backend.factory';
import { ProgramCatalogueService } from './programs/program-catalogue.service';
import { withheldPrograms } from './programs/withheld-programs';
import { siteProviders } from './site-providers';
import { RunCount } from './execute/run-count';
import { SiteWatch } from './upkeep/site-watch';
import { SlotPruner } from './execute/slot-pruner';
import { Upkeep } from './upkeep/upkeep.service';

const RULE_BOOK = Symbol('RuleBook');
const WITHHELD_PROGRAMS = Symbol('WithheldPrograms');
const ATTEMPT_LIMITS = Symbol('AttemptLimits');
const LAUNCH_PROBLEM = Symbol('LaunchProblem');
const EXECUTE_STEP = Symbol('ExecuteStep');
const ON_ERROR = Symbol('OnError');
const logger = new Logger('Executor');

const onError = (what: string, error: unknown): void =>
  logger.error({ message: `failed: ${what}`, reason: String(error) });
const alarm = (message: string): void => logger.error(message);
const onWarning = (message: string): void => logger.warn(message);

/** The parts of the execution site. */
@Injectable()
class SiteParts {
  @Inject() readonly backend: BackendConfig;
  @Inject() readonly executor: ExecutorConfig;
  @Inject() readonly kubernetes: KubernetesConfig;
  @Inject() readonly storage: StorageConfig;
  @Inject() readonly database: DatabaseConfig;
  @Inject() readonly redis: RedisConfig;
  @Inject(RULE_BOOK) readonly rules: RuleBook;
  @Inject(CLOCK) readonly clock: Clock;
  @Inject(METRICS) readonly metrics: Metrics;
}

const makeSite = ({ backend: { backend, runAsOwnerOf }, ...parts }: SiteParts): ExecutionSite => {
  const { executor, kubernetes, storage, database, redis, rules, clock, metrics } = parts;
  return backend === 'kubernetes'
    ? makeKubernetesSite(kubernetes, storage, rules, { clock, metrics, onWarning, database, redis })
    : makeLocalSite({ config: executor, runAsOwnerOf }, storage, rules, clock, onWarning);
};

const adapters: Provider[] = [
  {
    provide: RULE_BOOK,
    inject: [KnowledgeConfig],
    useFactory: ({ folder }: KnowledgeConfig) => loadRuleBook(folder),
  },
  SiteParts,
  { provide: EXECUTION_SITE, inject: [SiteParts], useFactory: makeSite },
  { provide: EXECUTION_BACKEND, inject: [EXECUTION_SITE], useFactory: ({ backend }: ExecutionSite) => backend },
  {
    provide: WorkVolume,
    inject: [StorageConfig, METRICS],
    useFactory: ({ workRoot }: StorageConfig, metrics: Metrics) => {
      const volume = new WorkVolume(workRoot);
      metrics.onRead(() => volume.read());
      return volume;
    },
  },
  {
    provide: WITHHELD_PROGRAMS,
    inject: [RULE_BOOK, ExecutorConfig],
    useFactory: (rules: RuleBook, { prediction }: ExecutorConfig) => withheldPrograms(rules, prediction),
  },
  { provide: ON_ERROR, useValue: onError },
  provided(ProgramCatalogueService, EXECUTION_BACKEND, PROGRAM_CATALOGUES, CLOCK, ON_ERROR, WITHHELD_PROGRAMS),
];

const upkeep: Provider[] = [
  providedWith(
    Upkeep,
    {
      endings: RunEndings,
      pruner: SlotPruner,
      count: RunCount,
      register: ORPHAN_REGISTER,
      records: SESSION_RECORDS,
      site: SiteWatch,
      execution: EXECUTION_SITE,
    },
    { onError },
  ),
];

const attemptLimits = (
  { resources }: ExecutionSite,
  { maxLogBytes }: ExecutorConfig,
  { programs }: RuleBook,
  storage: StorageConfig,
): ExecutionLimits => ({
  ...resources,
  ofProgram: (program) => programs[program]?.resources,
  parameterFileOf: (program) => programs[program]?.parameter_file,
  joinedSlotsOf: (program) => joinedSlots(programs[program]),
  compoundParameterOf: (program) => compoundParameter(programs[program]),
  logBytes: maxLogBytes,
  inputRoots: inputRoots(storage),
});

const launchProblem =
  (rules: RuleBook): ExecuteDependencies['problemWith'] =>
  (session, record) =>
    problemWithLaunch(session, record, rules);

const useCases: Provider[] = [
  stepPortsProvider({ waker: WakeUps, log: logger, withMutex: true }),
  {
    provide: ATTEMPT_LIMITS,
    inject: [EXECUTION_SITE, ExecutorConfig, RULE_BOOK, StorageConfig],
    useFactory: attemptLimits,
  },
  { provide: LAUNCH_PROBLEM, inject: [RULE_BOOK], useFactory: launchProblem },
  {
    provide: RunMeter,
    inject: [METRICS, TRACING, RULE_BOOK],
    useFactory: (metrics: Metrics, tracing: Tracing, { programs }: RuleBook) =>
      new RunMeter(metrics, tracing, Object.keys(programs)),
  },
  providedWith(ExecuteAttempt, {
    backend: EXECUTION_BACKEND,
    catalogue: ProgramCatalogueService,
    limits: ATTEMPT_LIMITS,
    problemWith: LAUNCH_PROBLEM,
    retries: ExecutorConfig,
    gate: LaunchGate,
    slots: RUN_SLOTS,
    clock: CLOCK,
    meter: RunMeter,
    tracing: TRACING,
  }),
  providedWith(
    CancelSession,
    { events: SESSION_EVENTS, backend: EXECUTION_BACKEND, gate: LaunchGate, clock: CLOCK },
    { alarm },
  ),
  {
    provide: EXECUTE_STEP,
    inject: [STEP_PORTS, ExecuteAttempt],
    useFactory: (ports: StepPorts, step: ExecuteAttempt) => (due: StepOfSession) => runStep(ports, step, due),
  },
  providedWith(
    RunEndings,
    {
      backend: EXECUTION_BACKEND,
      records: SESSION_RECORDS,
      index: SESSION_INDEX,
      execute: EXECUTE_STEP,
      queue: LaunchQueue,
      slots: RUN_SLOTS,
      control: LAUNCH_CONTROL,
      granted: GrantedRuns,
    },
    { onError },
  ),
];

/** The executor: the only service that starts programs. Wiring only. */
@Module({
  imports: [
    TracingModule.forService('executor-worker'),
    StoreModule.forRoot(),
    RedisModule.forRoot(),
    SessionFolderModule,
    QueueModule.forRoot(),
    QueueWorkerModule.forQueue(Queues.executions),
    HealthModule.forWorker([DatabaseProbe, RedisProbe, WorkRootProbe, StepsProbe]),
  ],
  providers: [
    ...adapters,
    ...launchProviders,
    ...siteProviders,
    ...upkeep,
    ...useCases,
    ExecuteProcessor,
    CancelProcessor,
    ExecutorLifecycle,
  ],
})
export class ExecutorModule {
  /** @param env the variables of its configuration; by default those of the process */
  static forRoot(env?: Environment): DynamicModule {
    const sections = [...workerSections, KubernetesConfig, SharesConfig];
    return { module: ExecutorModule, imports: [ConfigModule.forRoot(sections, env)] };
  }
}
