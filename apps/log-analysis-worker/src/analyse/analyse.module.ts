import { BackendConfig, ExecutorConfig, InspectionConfig, KnowledgeConfig } from '@fleet/config';
import { GemmiFileInspector, startedInspector } from '@fleet/file-inspection';
import { loadRuleBook } from '@fleet/knowledge';
import type { RuleBook } from '@fleet/knowledge-model';
import { tracedInspector } from '@fleet/observability';
import {
  CLOCK,
  FILE_INSPECTOR,
  PROGRAM_CATALOGUES,
  SESSION_FOLDER,
  SESSION_RECORDS,
  TRACING,
  type Clock,
  type FileInspector,
  type ProgramCatalogues,
  type SessionFolderPort,
  type SessionRecords,
} from '@fleet/ports';
import { WakeUps } from '@fleet/queue';
import { SessionFolderModule } from '@fleet/session-folder';
import { stepPortsProvider } from '@fleet/steps';
import { Logger, Module } from '@nestjs/common';
import { AnalyseCycle } from './analyse-cycle';
import { AnalyseProcessor } from './analyse.processor';
import { OutputCollector } from './output-collector';

const RULE_BOOK = Symbol('RuleBook');

type Dependencies = readonly [
  SessionRecords,
  ProgramCatalogues,
  SessionFolderPort,
  Clock,
  RuleBook,
  FileInspector,
  BackendConfig,
  ExecutorConfig,
];

/** Compiles the log patterns once at the start of the worker: an invalid pattern stops it here. */
const makeAnalyseCycle = (
  ...[records, catalogues, folder, clock, ruleBook, inspector, { backend }, { maxLogBytes }]: Dependencies
): AnalyseCycle => {
  const outputs = new OutputCollector(inspector);
  return new AnalyseCycle({ records, catalogues, folder, clock, ruleBook, backend, outputs, maxLogBytes });
};

@Module({
  imports: [SessionFolderModule],
  providers: [
    {
      provide: RULE_BOOK,
      inject: [KnowledgeConfig],
      useFactory: ({ folder }: KnowledgeConfig) => loadRuleBook(folder),
    },
    {
      provide: GemmiFileInspector,
      inject: [InspectionConfig],
      useFactory: startedInspector,
    },
    { provide: FILE_INSPECTOR, inject: [GemmiFileInspector, TRACING], useFactory: tracedInspector },
    stepPortsProvider({ waker: WakeUps, log: new Logger('Steps') }),
    {
      provide: AnalyseCycle,
      inject: [
        SESSION_RECORDS,
        PROGRAM_CATALOGUES,
        SESSION_FOLDER,
        CLOCK,
        RULE_BOOK,
        FILE_INSPECTOR,
        BackendConfig,
        ExecutorConfig,
      ],
      useFactory: makeAnalyseCycle,
    },
    AnalyseProcessor,
  ],
})
export class AnalyseModule {}
