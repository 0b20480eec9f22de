import { ConfigModule, InspectionConfig, workerSections } from '@fleet/config';
import { Queues } from '@fleet/contracts';
import { HealthModule, TracingModule } from '@fleet/observability';
import { QueueModule, QueueWorkerModule, StepsProbe } from '@fleet/queue';
import { SessionFolderModule, WorkRootProbe } from '@fleet/session-folder';
import { FilingModule, RedisProbe, SessionArchiveModule, SessionStoreModule } from '@fleet/session-store';
import { Module } from '@nestjs/common';
import { AnalyseModule } from './analyse/analyse.module';

@Module({
  imports: [
    ConfigModule.forRoot([...workerSections, InspectionConfig]),
    TracingModule.forService('log-analysis-worker'),
    SessionStoreModule.forRoot(),
    QueueModule.forRoot(),
    QueueWorkerModule.forQueue(Queues.analyses),
    SessionFolderModule,
    SessionArchiveModule,
    FilingModule,
    HealthModule.forWorker([RedisProbe, WorkRootProbe, StepsProbe]),
    AnalyseModule,
  ],
})
export class LogAnalysisWorkerModule {}
