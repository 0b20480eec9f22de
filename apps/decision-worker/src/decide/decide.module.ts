import { BackendConfig, KnowledgeConfig, StorageConfig } from '@fleet/config';
import { buildDecisionGraph, type DecisionGraph } from '@fleet/decision-graph';
import { loadRuleBook } from '@fleet/knowledge';
import type { RuleBook } from '@fleet/knowledge-model';
import {
  CLOCK,
  SESSION_FOLDER,
  SESSION_STORE,
  type Clock,
  type SessionFolderPort,
  type SessionStore,
} from '@fleet/ports';
import { WakeUps } from '@fleet/queue';
import { SessionKeeper } from '@fleet/recovery';
import { SessionFolderModule } from '@fleet/session-folder';
import { Module } from '@nestjs/common';
import { changedFiles } from './changed-files';
import { DecideNextStep, type DecideDependencies } from './decide-next-step';
import { DecideProcessor } from './decide.processor';
import { missingFiles } from './missing-files';

/** The rule book, and the graph that was built from it once, when the worker started: wrong knowledge stops it here. */
interface DecisionKnowledge {
  readonly ruleBook: RuleBook;
  readonly graph: DecisionGraph;
}

const DECISION_KNOWLEDGE = Symbol('DecisionKnowledge');

const readKnowledge = async ({ folder }: KnowledgeConfig): Promise<DecisionKnowledge> => {
  const ruleBook = await loadRuleBook(folder);
  return { ruleBook, graph: buildDecisionGraph({ ruleBook }) };
};

type Dependencies = readonly [
  SessionStore,
  SessionFolderPort,
  Clock,
  DecisionKnowledge,
  WakeUps,
  BackendConfig,
  StorageConfig,
];

const dependenciesOf = ([
  store,
  folder,
  clock,
  { ruleBook, graph },
  wakeUps,
  { backend },
  storage,
]: Dependencies): DecideDependencies => ({
  store,
  keeper: new SessionKeeper(store, folder, ruleBook),
  clock,
  graph,
  backend,
  missing: (session) => missingFiles(session, [...storage.dataRoots, storage.workRoot]),
  changed: (session) => changedFiles(session, [...storage.dataRoots, storage.workRoot]),
  wake: (head) => wakeUps.wake(head),
});

@Module({
  imports: [SessionFolderModule],
  providers: [
    { provide: DECISION_KNOWLEDGE, inject: [KnowledgeConfig], useFactory: readKnowledge },
    {
      provide: DecideNextStep,
      inject: [SESSION_STORE, SESSION_FOLDER, CLOCK, DECISION_KNOWLEDGE, WakeUps, BackendConfig, StorageConfig],
      useFactory: (...dependencies: Dependencies) => new DecideNextStep(dependenciesOf(dependencies)),
    },
    DecideProcessor,
  ],
})
export class DecideModule {}
