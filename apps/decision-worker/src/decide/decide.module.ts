import { ExecutorConfig, KnowledgeConfig } from '@fleet/config';
import { buildDecisionGraph } from '@fleet/decision-graph';
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
import { DecideNextStep } from './decide-next-step';
import { DecideProcessor } from './decide.processor';

/** Reads the knowledge and compiles the graph once, when the worker starts. */
const makeDecideNextStep = async (
  store: SessionStore,
  folder: SessionFolderPort,
  clock: Clock,
  wakeUps: WakeUps,
  { folder: knowledge }: KnowledgeConfig,
  { backend }: ExecutorConfig,
): Promise<DecideNextStep> => {
  const graph = buildDecisionGraph({ ruleBook: await loadRuleBook(knowledge) });
  return new DecideNextStep({ store, folder, clock, graph, backend, wake: (head) => wakeUps.wake(head) });
};

@Module({
  imports: [SessionFolderModule],
  providers: [
    {
      provide: DecideNextStep,
      inject: [SESSION_STORE, SESSION_FOLDER, CLOCK, WakeUps, KnowledgeConfig, ExecutorConfig],
      useFactory: makeDecideNextStep,
    },
    DecideProcessor,
  ],
})
export class DecideModule {}
