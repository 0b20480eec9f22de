import { BackendConfig, dataFoldersOf, KnowledgeConfig, ModelsConfig, StorageConfig } from '@fleet/config';
import { buildDecisionGraph, chooseByModels, readByModels } from '@fleet/decision-graph';
import { loadRuleBook } from '@fleet/knowledge';
import type { RuleBook } from '@fleet/knowledge-model';
import {
  ASSESSMENTS,
  CLOCK,
  LOG_SUMMARIES,
  METRICS,
  MODEL_BREAKER,
  MODEL_INQUIRIES,
  MODEL_LEDGER,
  MODEL_REPLIES,
  TEXT_REQUESTS,
  PROGRAM_CATALOGUES,
  SESSION_FOLDER,
  SESSION_RECORDS,
  TRACING,
  type Clock,
  type ProgramCatalogues,
} from '@fleet/ports';
import { WakeUps } from '@fleet/queue';
import { SessionFolderModule } from '@fleet/session-folder';
import { STEP_PORTS, stepPortsProvider } from '@fleet/steps';
import { providedObject, providedWith } from '@fleet/wiring';
import { Logger, Module } from '@nestjs/common';
import { InquiryDesk } from './inquire/inquiry-desk';
import { makeTextDesk, type TextDeskDependencies } from './text-requests/make-text-desk';
import { TextDesk } from './text-requests/text-desk';
import { changedFiles } from './decide/changed-files';
import { DecideNextStep } from './decide/decide-next-step';
import { DecideProcessor } from './decide/decide.processor';
import { missingFiles } from './decide/missing-files';
import { ModelLane } from './decide/model-lane';
import { SitePlanner } from './decide/site-planner';

const RULE_BOOK = Symbol('RuleBook');

type Dependencies = readonly [ProgramCatalogues, Clock, RuleBook, BackendConfig, StorageConfig, SitePlanner];

const textDeskPorts = providedObject<TextDeskDependencies>({
  requests: TEXT_REQUESTS,
  assessments: ASSESSMENTS,
  logSummaries: LOG_SUMMARIES,
  records: SESSION_RECORDS,
  folder: SESSION_FOLDER,
  clock: CLOCK,
  ruleBook: RULE_BOOK,
  site: SitePlanner,
});

/** Builds the graph once at the start of the worker: invalid knowledge stops it here. */
const makeDecideNextStep = (
  ...[catalogues, clock, ruleBook, { backend }, storage, site]: Dependencies
): DecideNextStep => {
  const roots = [...dataFoldersOf(storage), storage.workRoot];
  const planner = site.planner(ruleBook);
  const reader = site.reader(ruleBook);
  return new DecideNextStep({
    catalogues,
    clock,
    graph: buildDecisionGraph({ ruleBook, ...(planner !== undefined && { choose: chooseByModels(planner) }) }),
    ...(reader !== undefined && { readAdvice: readByModels(reader) }),
    backend,
    missing: (session) => missingFiles(session, roots),
    changed: (session) => changedFiles(session, roots),
  });
};

@Module({
  imports: [SessionFolderModule],
  providers: [
    {
      provide: RULE_BOOK,
      inject: [KnowledgeConfig],
      useFactory: ({ folder }: KnowledgeConfig) => loadRuleBook(folder),
    },
    stepPortsProvider({ waker: WakeUps, log: new Logger('Steps'), withMutex: true }),
    ModelLane,
    providedWith(
      SitePlanner,
      {
        models: ModelsConfig,
        storage: StorageConfig,
        ports: STEP_PORTS,
        lane: ModelLane,
        replies: MODEL_REPLIES,
        ledger: MODEL_LEDGER,
        breaker: MODEL_BREAKER,
        metrics: METRICS,
        tracing: TRACING,
      },
      { log: new Logger('Models') },
    ),
    {
      provide: DecideNextStep,
      inject: [PROGRAM_CATALOGUES, CLOCK, RULE_BOOK, BackendConfig, StorageConfig, SitePlanner],
      useFactory: makeDecideNextStep,
    },
    DecideProcessor,
    textDeskPorts,
    { provide: TextDesk, inject: [textDeskPorts.provide], useFactory: makeTextDesk },
    providedWith(
      InquiryDesk,
      { inquiries: MODEL_INQUIRIES, site: SitePlanner, clock: CLOCK },
      { log: new Logger('Inquiries') },
    ),
  ],
})
export class DecideModule {}
