import { BackendConfig, ExecutorConfig, InspectionConfig, KnowledgeConfig } from '@fleet/config';
import type { BackendName } from '@fleet/contracts';
import { PooledFileInspector } from '@fleet/file-inspection';
import { loadRuleBook } from '@fleet/knowledge';
import type { RuleBook } from '@fleet/knowledge-model';
import {
  CLOCK,
  FILE_INSPECTOR,
  PROGRAM_CATALOGUES,
  SESSION_FOLDER,
  SESSION_RECORDS,
  STEP_SCHEDULE,
  type Clock,
  type FileInspector,
  type ProgramCatalogues,
  type SessionFolderPort,
  type SessionRecords,
  type StepSchedule,
} from '@fleet/ports';
import { WakeUps } from '@fleet/queue';
import { SessionFolderModule } from '@fleet/session-folder';
import { makeStepPorts, STEP_PORTS, type StepPorts } from '@fleet/steps';
import { Module } from '@nestjs/common';
import { AnalyseCycle } from './analyse-cycle';
import { AnalyseProcessor } from './analyse.processor';
import { OutputCollector } from './output-collector';

/** What the knowledge and the configuration say, and what they make. */
interface AnalysisSettings {
  readonly ruleBook: RuleBook;
  readonly backend: BackendName;
  readonly maxLogBytes: number;
  readonly outputs: OutputCollector;
}

const ANALYSIS_SETTINGS = Symbol('AnalysisSettings');

const readSettings = async (
  { folder }: KnowledgeConfig,
  { backend }: BackendConfig,
  { maxLogBytes }: ExecutorConfig,
  inspector: FileInspector,
): Promise<AnalysisSettings> => ({
  ruleBook: await loadRuleBook(folder),
  backend,
  maxLogBytes,
  outputs: new OutputCollector(inspector),
});

/** Compiles the log patterns once, when the worker starts: a bad pattern stops it here. */
const makeAnalyseCycle = (
  records: SessionRecords,
  catalogues: ProgramCatalogues,
  folder: SessionFolderPort,
  clock: Clock,
  { ruleBook, backend, maxLogBytes, outputs }: AnalysisSettings,
): AnalyseCycle => new AnalyseCycle({ records, catalogues, folder, clock, ruleBook, backend, outputs, maxLogBytes });

@Module({
  imports: [SessionFolderModule],
  providers: [
    {
      provide: ANALYSIS_SETTINGS,
      inject: [KnowledgeConfig, BackendConfig, ExecutorConfig, FILE_INSPECTOR],
      useFactory: readSettings,
    },
    {
      provide: FILE_INSPECTOR,
      inject: [InspectionConfig],
      useFactory: (limits: InspectionConfig) => new PooledFileInspector(limits),
    },
    {
      provide: AnalyseCycle,
      inject: [SESSION_RECORDS, PROGRAM_CATALOGUES, SESSION_FOLDER, CLOCK, ANALYSIS_SETTINGS],
      useFactory: makeAnalyseCycle,
    },
    {
      provide: STEP_PORTS,
      inject: [SESSION_RECORDS, STEP_SCHEDULE, SESSION_FOLDER, ANALYSIS_SETTINGS, WakeUps],
      useFactory: (
        records: SessionRecords,
        schedule: StepSchedule,
        folder: SessionFolderPort,
        { ruleBook }: AnalysisSettings,
        wakeUps: WakeUps,
      ): StepPorts => makeStepPorts({ records, schedule }, folder, ruleBook, wakeUps),
    },
    AnalyseProcessor,
  ],
})
export class AnalyseModule {}
