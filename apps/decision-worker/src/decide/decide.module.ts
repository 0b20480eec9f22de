import { BackendConfig, KnowledgeConfig, ModelsConfig, StorageConfig } from '@fleet/config';
import { assessByModels, buildDecisionGraph, chooseByModels, readByModels } from '@fleet/decision-graph';
import { loadRuleBook } from '@fleet/knowledge';
import type { RuleBook } from '@fleet/knowledge-model';
import {
  ASSESSMENT_WISHES,
  ASSESSMENTS,
  CLOCK,
  METRICS,
  MODEL_BREAKER,
  MODEL_LEDGER,
  MODEL_REPLIES,
  PROGRAM_CATALOGUES,
  SESSION_RECORDS,
  type Assessments,
  type AssessmentWishes,
  type Clock,
  type Metrics,
  type ModelBreaker,
  type ModelLedger,
  type ModelReplies,
  type ProgramCatalogues,
  type SessionRecords,
} from '@fleet/ports';
import { WakeUps } from '@fleet/queue';
import { SessionFolderModule } from '@fleet/session-folder';
import { STEP_PORTS, stepPortsProvider, type StepPorts } from '@fleet/steps';
import { Logger, Module } from '@nestjs/common';
import { AssessmentDesk } from '../assess/assessment-desk';
import { changedFiles } from './changed-files';
import { DecideNextStep } from './decide-next-step';
import { DecideProcessor } from './decide.processor';
import { missingFiles } from './missing-files';
import { ModelLane } from './model-lane';
import { SitePlanner } from './site-planner';

const RULE_BOOK = Symbol('RuleBook');

type Dependencies = readonly [ProgramCatalogues, Clock, RuleBook, StepPorts, BackendConfig, StorageConfig, SitePlanner];

type PlannerDependencies = readonly [
  ModelsConfig,
  StorageConfig,
  ModelReplies,
  ModelLedger,
  ModelBreaker,
  Metrics,
  StepPorts,
  ModelLane,
];

type DeskDependencies = readonly [AssessmentWishes, Assessments, SessionRecords, Clock, RuleBook, SitePlanner];

/** Builds the graph once, when the worker starts: wrong knowledge stops it here. */
const makeDecideNextStep = (
  ...[catalogues, clock, ruleBook, { keeper }, { backend }, storage, site]: Dependencies
): DecideNextStep => {
  const roots = [...storage.dataRoots, storage.workRoot];
  const planner = site.planner(ruleBook);
  const reader = site.reader(ruleBook);
  return new DecideNextStep({
    catalogues,
    keeper,
    clock,
    graph: buildDecisionGraph({ ruleBook, ...(planner !== undefined && { choose: chooseByModels(planner) }) }),
    ...(reader !== undefined && { readAdvice: readByModels(reader) }),
    backend,
    missing: (session) => missingFiles(session, roots),
    changed: (session) => changedFiles(session, roots),
  });
};

/** Answers wishes for assessments, beside the steps. */
const makeAssessmentDesk = (
  ...[wishes, assessments, records, clock, ruleBook, site]: DeskDependencies
): AssessmentDesk => {
  const assessor = site.assessor(ruleBook);
  const assess = assessor === undefined ? undefined : assessByModels(assessor);
  return new AssessmentDesk({ wishes, assessments, records, clock, log: new Logger('Assessments'), assess });
};

@Module({
  imports: [SessionFolderModule],
  providers: [
    {
      provide: RULE_BOOK,
      inject: [KnowledgeConfig],
      useFactory: ({ folder }: KnowledgeConfig) => loadRuleBook(folder),
    },
    stepPortsProvider({ ruleBook: RULE_BOOK, wakeUps: WakeUps, log: new Logger('Steps'), takeTurns: true }),
    ModelLane,
    {
      provide: SitePlanner,
      inject: [ModelsConfig, StorageConfig, MODEL_REPLIES, MODEL_LEDGER, MODEL_BREAKER, METRICS, STEP_PORTS, ModelLane],
      useFactory: (...[models, storage, replies, ledger, breaker, metrics, ports, lane]: PlannerDependencies) =>
        new SitePlanner(models, storage, { replies, ledger, breaker, metrics, lane }, ports, new Logger('Models')),
    },
    {
      provide: DecideNextStep,
      inject: [PROGRAM_CATALOGUES, CLOCK, RULE_BOOK, STEP_PORTS, BackendConfig, StorageConfig, SitePlanner],
      useFactory: makeDecideNextStep,
    },
    DecideProcessor,
    {
      provide: AssessmentDesk,
      inject: [ASSESSMENT_WISHES, ASSESSMENTS, SESSION_RECORDS, CLOCK, RULE_BOOK, SitePlanner],
      useFactory: makeAssessmentDesk,
    },
  ],
})
export class DecideModule {}
