import { BackendConfig, KnowledgeConfig, StorageConfig } from '@fleet/config';
import { buildDecisionGraph, type DecisionGraph } from '@fleet/decision-graph';
import { loadRuleBook } from '@fleet/knowledge';
import {
  CLOCK,
  SESSION_FOLDER,
  SESSION_STORE,
  type Clock,
  type SessionFolderPort,
  type SessionStore,
} from '@fleet/ports';
import { WakeUps } from '@fleet/queue';
import { SessionFolderModule } from '@fleet/session-folder';
import { Module } from '@nestjs/common';
import { DecideNextStep, type DecideDependencies } from './decide-next-step';
import { DecideProcessor } from './decide.processor';
import { missingFiles } from './missing-files';

const DECISION_GRAPH = Symbol('DecisionGraph');

type Dependencies = readonly [
  SessionStore,
  SessionFolderPort,
  Clock,
  DecisionGraph,
  WakeUps,
  BackendConfig,
  StorageConfig,
];

const dependenciesOf = ([
  store,
  folder,
  clock,
  graph,
  wakeUps,
  executor,
  storage,
]: Dependencies): DecideDependencies => ({
  store,
  folder,
  clock,
  graph,
  backend: executor.backend,
  missing: (session) => missingFiles(session, [...storage.dataRoots, storage.workRoot]),
  wake: (head) => wakeUps.wake(head),
});

@Module({
  imports: [SessionFolderModule],
  providers: [
    {
      provide: DECISION_GRAPH,
      inject: [KnowledgeConfig],
      // Once, when the worker starts: wrong knowledge stops it here.
      useFactory: async ({ folder }: KnowledgeConfig) => buildDecisionGraph({ ruleBook: await loadRuleBook(folder) }),
    },
    {
      provide: DecideNextStep,
      inject: [SESSION_STORE, SESSION_FOLDER, CLOCK, DECISION_GRAPH, WakeUps, BackendConfig, StorageConfig],
      useFactory: (...dependencies: Dependencies) => new DecideNextStep(dependenciesOf(dependencies)),
    },
    DecideProcessor,
  ],
})
export class DecideModule {}
