import { BackendConfig, KnowledgeConfig, StorageConfig } from '@fleet/config';
import { buildDecisionGraph } from '@fleet/decision-graph';
import { loadRuleBook } from '@fleet/knowledge';
import type { RuleBook } from '@fleet/knowledge-model';
import { CLOCK, PROGRAM_CATALOGUES, type Clock, type ProgramCatalogues } from '@fleet/ports';
import { WakeUps } from '@fleet/queue';
import { SessionFolderModule } from '@fleet/session-folder';
import { STEP_PORTS, stepPortsProvider, type StepPorts } from '@fleet/steps';
import { Logger, Module } from '@nestjs/common';
import { changedFiles } from './changed-files';
import { DecideNextStep } from './decide-next-step';
import { DecideProcessor } from './decide.processor';
import { missingFiles } from './missing-files';

const RULE_BOOK = Symbol('RuleBook');

type Dependencies = readonly [ProgramCatalogues, Clock, RuleBook, StepPorts, BackendConfig, StorageConfig];

/** Builds the graph once, when the worker starts: wrong knowledge stops it here. */
const makeDecideNextStep = (
  ...[catalogues, clock, ruleBook, { keeper }, { backend }, storage]: Dependencies
): DecideNextStep => {
  const roots = [...storage.dataRoots, storage.workRoot];
  return new DecideNextStep({
    catalogues,
    keeper,
    clock,
    graph: buildDecisionGraph({ ruleBook }),
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
    stepPortsProvider({ ruleBook: RULE_BOOK, wakeUps: WakeUps, log: new Logger('Steps') }),
    {
      provide: DecideNextStep,
      inject: [PROGRAM_CATALOGUES, CLOCK, RULE_BOOK, STEP_PORTS, BackendConfig, StorageConfig],
      useFactory: makeDecideNextStep,
    },
    DecideProcessor,
  ],
})
export class DecideModule {}
