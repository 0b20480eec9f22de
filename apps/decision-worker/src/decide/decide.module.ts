import { BackendConfig, KnowledgeConfig, StorageConfig } from '@fleet/config';
import { buildDecisionGraph, type DecisionGraph } from '@fleet/decision-graph';
import { loadRuleBook } from '@fleet/knowledge';
import type { RuleBook } from '@fleet/knowledge-model';
import {
  CLOCK,
  PROGRAM_CATALOGUES,
  SESSION_FOLDER,
  SESSION_RECORDS,
  STEP_SCHEDULE,
  type Clock,
  type ProgramCatalogues,
  type SessionFolderPort,
  type SessionRecords,
  type StepSchedule,
} from '@fleet/ports';
import { WakeUps } from '@fleet/queue';
import { SessionFolderModule } from '@fleet/session-folder';
import { makeStepPorts, STEP_PORTS, type StepPorts } from '@fleet/steps';
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

type Dependencies = readonly [ProgramCatalogues, Clock, DecisionKnowledge, StepPorts, BackendConfig, StorageConfig];

const dependenciesOf = ([
  catalogues,
  clock,
  { graph },
  { keeper },
  { backend },
  storage,
]: Dependencies): DecideDependencies => ({
  catalogues,
  keeper,
  clock,
  graph,
  backend,
  missing: (session) => missingFiles(session, [...storage.dataRoots, storage.workRoot]),
  changed: (session) => changedFiles(session, [...storage.dataRoots, storage.workRoot]),
});

@Module({
  imports: [SessionFolderModule],
  providers: [
    { provide: DECISION_KNOWLEDGE, inject: [KnowledgeConfig], useFactory: readKnowledge },
    {
      provide: STEP_PORTS,
      inject: [SESSION_RECORDS, STEP_SCHEDULE, SESSION_FOLDER, DECISION_KNOWLEDGE, WakeUps],
      useFactory: (
        records: SessionRecords,
        schedule: StepSchedule,
        folder: SessionFolderPort,
        { ruleBook }: DecisionKnowledge,
        wakeUps: WakeUps,
      ): StepPorts => makeStepPorts({ records, schedule }, folder, ruleBook, wakeUps),
    },
    {
      provide: DecideNextStep,
      inject: [PROGRAM_CATALOGUES, CLOCK, DECISION_KNOWLEDGE, STEP_PORTS, BackendConfig, StorageConfig],
      useFactory: (...dependencies: Dependencies) => new DecideNextStep(dependenciesOf(dependencies)),
    },
    DecideProcessor,
  ],
})
export class DecideModule {}
