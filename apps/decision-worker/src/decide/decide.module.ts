import { ExecutorConfig, KnowledgeConfig } from '@fleet/config';
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

const DECISION_GRAPH = Symbol('DecisionGraph');

type Dependencies = readonly [SessionStore, SessionFolderPort, Clock, DecisionGraph, WakeUps, ExecutorConfig];

const dependenciesOf = ([store, folder, clock, graph, wakeUps, { backend }]: Dependencies): DecideDependencies => ({
  store,
  folder,
  clock,
  graph,
  backend,
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
      inject: [SESSION_STORE, SESSION_FOLDER, CLOCK, DECISION_GRAPH, WakeUps, ExecutorConfig],
      useFactory: (...dependencies: Dependencies) => new DecideNextStep(dependenciesOf(dependencies)),
    },
    DecideProcessor,
  ],
})
export class DecideModule {}
