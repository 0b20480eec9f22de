import { ConfigModule, ExecutorConfig, KnowledgeConfig, StorageConfig, workerSections } from '@fleet/config';
import { Queues } from '@fleet/contracts';
import { loadRuleBook } from '@fleet/knowledge';
import type { RuleBook } from '@fleet/knowledge-model';
import { HealthModule } from '@fleet/observability';
import {
  CLOCK,
  EXECUTION_BACKEND,
  SESSION_FOLDER,
  SESSION_STORE,
  type Clock,
  type ExecutionBackend,
  type SessionFolderPort,
  type SessionStore,
} from '@fleet/ports';
import { QueueLagProbe, QueueModule, QueueWorkerModule, WakeUps } from '@fleet/queue';
import { SessionFolderModule } from '@fleet/session-folder';
import { RedisProbe, SessionStoreModule } from '@fleet/session-store';
import { Logger, Module, type Provider } from '@nestjs/common';
import { CancelProcessor } from './cancel/cancel.processor';
import { CancelSession } from './cancel/cancel-session';
import { ExecuteAttempt } from './execute/execute-attempt';
import { ExecuteProcessor } from './execute/execute.processor';
import { RunEndings } from './execute/run-endings.service';
import { SessionMover } from './execute/session-mover';
import { SessionTurns } from './execute/session-turns';
import { WaitingRuns } from './execute/waiting-runs';
import { ExecutorLifecycle } from './executor-lifecycle';
import { makeLocalBackend, programMemoryMiB } from './local-backend.factory';
import { ProgramCatalogueService } from './programs/program-catalogue.service';

const RULE_BOOK = Symbol('RuleBook');
const logger = new Logger('Executor');

const onError = (what: string, error: unknown): void => {
  logger.error({ message: `failed: ${what}`, reason: String(error) });
};

const adapters: Provider[] = [
  {
    provide: RULE_BOOK,
    inject: [KnowledgeConfig],
    useFactory: ({ folder }: KnowledgeConfig) => loadRuleBook(folder),
  },
  {
    provide: EXECUTION_BACKEND,
    inject: [ExecutorConfig, StorageConfig, RULE_BOOK, CLOCK],
    useFactory: (config: ExecutorConfig, storage: StorageConfig, rules: RuleBook, clock: Clock) =>
      makeLocalBackend(config, storage, rules, clock, (message) => {
        logger.warn(message);
      }),
  },
  {
    provide: ProgramCatalogueService,
    inject: [EXECUTION_BACKEND, SESSION_STORE, CLOCK],
    useFactory: (backend: ExecutionBackend, store: SessionStore, clock: Clock) =>
      new ProgramCatalogueService(backend, store, clock, onError),
  },
];

const useCases: Provider[] = [
  SessionTurns,
  WaitingRuns,
  {
    provide: SessionMover,
    inject: [SESSION_STORE, SESSION_FOLDER, WakeUps],
    useFactory: (store: SessionStore, folder: SessionFolderPort, wakeUps: WakeUps) =>
      new SessionMover(store, folder, (head) => wakeUps.wake(head)),
  },
  {
    provide: ExecuteAttempt,
    inject: [
      SESSION_STORE,
      EXECUTION_BACKEND,
      ProgramCatalogueService,
      CLOCK,
      SessionMover,
      SessionTurns,
      WaitingRuns,
      ExecutorConfig,
      RULE_BOOK,
    ],
    useFactory: (
      ...[store, backend, catalogue, clock, mover, turns, waiting, config, rules]: readonly [
        SessionStore,
        ExecutionBackend,
        ProgramCatalogueService,
        Clock,
        SessionMover,
        SessionTurns,
        WaitingRuns,
        ExecutorConfig,
        RuleBook,
      ]
    ) => {
      const ofProgram = (program: string) => rules.programs[program]?.resources;
      const limits = { ofProgram, machineMiB: programMemoryMiB(config), logBytes: config.maxLogBytes };
      const { maxAttempts } = config;
      return new ExecuteAttempt({ store, backend, catalogue, limits, maxAttempts, clock, mover, turns, waiting });
    },
  },
  {
    provide: CancelSession,
    inject: [SESSION_STORE, EXECUTION_BACKEND, CLOCK, SessionMover, SessionTurns],
    useFactory: (
      store: SessionStore,
      backend: ExecutionBackend,
      clock: Clock,
      mover: SessionMover,
      turns: SessionTurns,
    ) => new CancelSession({ store, backend, clock, mover, turns }),
  },
  {
    provide: RunEndings,
    inject: [EXECUTION_BACKEND, SESSION_STORE, ExecuteAttempt, WaitingRuns],
    useFactory: (backend: ExecutionBackend, store: SessionStore, execute: ExecuteAttempt, waiting: WaitingRuns) =>
      new RunEndings({ backend, store, execute, waiting, onError }),
  },
];

/** The executor: the only service that starts programs. Wiring only. */
@Module({
  imports: [
    ConfigModule.forRoot(workerSections),
    SessionStoreModule.forRoot(),
    SessionFolderModule,
    QueueModule.forRoot(),
    QueueWorkerModule.forQueue(Queues.executions),
    HealthModule.forWorker([RedisProbe, QueueLagProbe]),
  ],
  providers: [...adapters, ...useCases, ExecuteProcessor, CancelProcessor, ExecutorLifecycle],
})
export class ExecutorModule {}
