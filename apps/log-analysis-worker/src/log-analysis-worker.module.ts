import { ConfigModule, InspectionConfig, workerSections } from '@fleet/config';
import { Queues } from '@fleet/contracts/queues';
import { HealthModule, TracingModule } from '@fleet/observability';
import { QueueModule, QueueWorkerModule, StepsProbe } from '@fleet/queue';
import { SessionFolderModule, WorkRootProbe } from '@fleet/session-folder';
import { RedisModule, RedisProbe } from '@fleet/redis';
import { DatabaseProbe, StoreModule } from '@fleet/store';
import { Module } from '@nestjs/common';
import { AnalyseModule } from './analyse/analyse.module';

@Module({
  imports: [
    ConfigModule.forRoot([...workerSections, InspectionConfig]),
    TracingModule.forService('log-analysis-worker'),
    StoreModule.forRoot(),
    RedisModule.forRoot(),
    QueueModule.forRoot(),
    QueueWorkerModule.forQueue(Queues.analyses),
    SessionFolderModule,
    HealthModule.forWorker([DatabaseProbe, RedisProbe, WorkRootProbe, StepsProbe]),
    AnalyseModule,
  ],
})
export class LogAnalysisWorkerModule {}
