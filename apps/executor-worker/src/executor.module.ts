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
import { Queues } from '@fleet/contracts';
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
  type LaunchControl,
  type Metrics,
  type OrphanRegister,
  type ProgramCatalogues,
  type RunSlots,
  type SessionEvents,
  type SessionIndex,
  type SessionRecords,
  type Tracing,
} from '@fleet/ports';
import { QueueModule, QueueWorkerModule, StepsProbe, WakeUps } from '@fleet/queue';
import { SessionFolderModule, WorkRootProbe, WorkVolume } from '@fleet/session-folder';
import { RedisModule, RedisProbe } from '@fleet/redis';
import { DatabaseProbe, StoreModule } from '@fleet/store';
import { runStep, STEP_PORTS, stepPortsProvider, type StepOfSession, type StepPorts } from '@fleet/steps';
import { Logger, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CancelProcessor } from './cancel/cancel.processor';
import { CancelSession } from './cancel/cancel-session';
import { ExecuteAttempt } from './execute/execute-attempt';
import { ExecuteProcessor } from './execute/execute.processor';
import { GrantedRuns } from './execute/granted-runs';
import { LaunchGate } from './execute/launch-gate';
import { LaunchLine } from './execute/launch-line';
import { RunMeter } from './execute/run-meter';
import { RunEndings } from './execute/run-endings.service';
import { EXECUTION_SITE, type ExecutionSite } from './execution-site';
import { ExecutorLifecycle } from './executor-lifecycle';
import { inputRoots } from './input-roots';
import { makeKubernetesSite } from './kubernetes-backend.factory';
import { launchProviders } from './launch-providers';
import { makeLocalSite } from './local-backend.factory';
import { ProgramCatalogueService } from './programs/program-catalogue.service';
import { withheldPrograms } from './programs/withheld-programs';
import { siteProviders } from './site-providers';
import { makeChores } from './upkeep/make-chores';
import { RunCount } from './upkeep/run-count';
import { SiteWatch } from './upkeep/site-watch';
import { SlotPruner } from './upkeep/slot-pruner';
import { Upkeep } from './upkeep/upkeep.service';

const RULE_BOOK = Symbol('RuleBook');
const logger = new Logger('Executor');

const onError = (what: string, error: unknown): void => {
  logger.error({ message: `failed: ${what}`, reason: String(error) });
};
const alarm = (message: string): void => {
  logger.error(message);
};
const onWarning = (message: string): void => {
  logger.warn(message);
};

const adapters: Provider[] = [
  {
    provide: RULE_BOOK,
    inject: [KnowledgeConfig],
    useFactory: ({ folder }: KnowledgeConfig) => loadRuleBook(folder),
  },
  {
    provide: EXECUTION_SITE,
    inject: [
      BackendConfig,
      ExecutorConfig,
      KubernetesConfig,
      StorageConfig,
      RULE_BOOK,
      CLOCK,
      METRICS,
      DatabaseConfig,
      RedisConfig,
    ],
    useFactory: (
      ...[{ backend, runAsOwnerOf }, executor, kubernetes, storage, rules, clock, metrics, database, redis]: readonly [
        BackendConfig,
        ExecutorConfig,
        KubernetesConfig,
        StorageConfig,
        RuleBook,
        Clock,
        Metrics,
        DatabaseConfig,
        RedisConfig,
      ]
    ): ExecutionSite =>
      backend === 'kubernetes'
        ? makeKubernetesSite(kubernetes, storage, rules, { clock, metrics, onWarning, database, redis })
        : makeLocalSite({ config: executor, runAsOwnerOf }, storage, rules, clock, onWarning),
  },
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
    provide: ProgramCatalogueService,
    inject: [EXECUTION_SITE, PROGRAM_CATALOGUES, CLOCK, ExecutorConfig, RULE_BOOK],
    useFactory: (
      ...[{ backend }, catalogues, clock, { prediction }, rules]: readonly [
        ExecutionSite,
        ProgramCatalogues,
        Clock,
        ExecutorConfig,
        RuleBook,
      ]
    ) => new ProgramCatalogueService(backend, catalogues, clock, onError, withheldPrograms(rules, prediction)),
  },
];

const upkeep: Provider[] = [
  {
    provide: Upkeep,
    inject: [EXECUTION_SITE, RunEndings, SlotPruner, RunCount, ORPHAN_REGISTER, SESSION_RECORDS, SiteWatch],
    useFactory: (
      ...[
        {
          backend: { inventory },
          relistMs,
        },
        endings,
        pruner,
        count,
        register,
        records,
        site,
      ]: readonly [ExecutionSite, RunEndings, SlotPruner, RunCount, OrphanRegister, SessionRecords, SiteWatch]
    ) =>
      new Upkeep(
        makeChores({ endings, pruner, count, register, records, inventory, relistMs, site, onError }),
        onError,
      ),
  },
];

const executeInjected = [
  EXECUTION_SITE,
  ProgramCatalogueService,
  LaunchGate,
  RUN_SLOTS,
  CLOCK,
  ExecutorConfig,
  RULE_BOOK,
  StorageConfig,
  METRICS,
  TRACING,
];
type ExecuteInjected = readonly [
  ExecutionSite,
  ProgramCatalogueService,
  LaunchGate,
  RunSlots,
  Clock,
  ExecutorConfig,
  RuleBook,
  StorageConfig,
  Metrics,
  Tracing,
];

const makeExecuteAttempt = (...injected: ExecuteInjected): ExecuteAttempt => {
  const [{ backend, resources }, catalogue, gate, slots, clock, config, rules, storage, metrics, tracing] = injected;
  const ofProgram = (program: string) => rules.programs[program]?.resources;
  const parameterFileOf = (program: string) => rules.programs[program]?.parameter_file;
  const joinedSlotsOf = (program: string) => joinedSlots(rules.programs[program]);
  const compoundParameterOf = (program: string) => compoundParameter(rules.programs[program]);
  const limits = {
    ...resources,
    ofProgram,
    parameterFileOf,
    joinedSlotsOf,
    compoundParameterOf,
    logBytes: config.maxLogBytes,
    inputRoots: inputRoots(storage),
  };
  const retries = { maxAttempts: config.maxAttempts, maxDisruptions: config.maxDisruptions };
  return new ExecuteAttempt({
    backend,
    catalogue,
    limits,
    problemWith: (session, record) => problemWithLaunch(session, record, rules),
    retries,
    gate,
    slots,
    clock,
    meter: new RunMeter(metrics, tracing, Object.keys(rules.programs)),
    tracing,
  });
};

const endingsInjected = [
  EXECUTION_SITE,
  SESSION_RECORDS,
  SESSION_INDEX,
  STEP_PORTS,
  ExecuteAttempt,
  LaunchLine,
  RUN_SLOTS,
  LAUNCH_CONTROL,
  GrantedRuns,
];
type EndingsInjected = readonly [
  ExecutionSite,
  SessionRecords,
  SessionIndex,
  StepPorts,
  ExecuteAttempt,
  LaunchLine,
  RunSlots,
  LaunchControl,
  GrantedRuns,
];

const useCases: Provider[] = [
  stepPortsProvider({ ruleBook: RULE_BOOK, wakeUps: WakeUps, log: logger, takeTurns: true }),
  { provide: ExecuteAttempt, inject: executeInjected, useFactory: makeExecuteAttempt },
  {
    provide: CancelSession,
    inject: [SESSION_EVENTS, EXECUTION_SITE, LaunchGate, CLOCK],
    useFactory: (events: SessionEvents, { backend }: ExecutionSite, gate: LaunchGate, clock: Clock) =>
      new CancelSession({ events, backend, gate, clock, alarm }),
  },
  {
    provide: RunEndings,
    inject: endingsInjected,
    useFactory: (...[{ backend }, records, index, ports, step, line, slots, control, granted]: EndingsInjected) => {
      const execute = (due: StepOfSession) => runStep(ports, step, due);
      return new RunEndings({ backend, records, index, execute, line, slots, control, granted, onError });
    },
  },
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
