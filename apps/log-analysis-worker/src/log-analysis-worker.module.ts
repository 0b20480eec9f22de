import { ConfigModule, InspectionConfig, workerSections } from '@fleet/config';
import { Queues } from '@fleet/contracts';
import { HealthModule } from '@fleet/observability';
import { QueueModule, QueueWorkerModule } from '@fleet/queue';
import { RedisProbe, SessionStoreModule } from '@fleet/session-store';
import { Module } from '@nestjs/common';
import { AnalyseModule } from './analyse/analyse.module';

@Module({
  imports: [
    ConfigModule.forRoot([...workerSections, InspectionConfig]),
    SessionStoreModule.forRoot(),
    QueueModule.forRoot(),
    QueueWorkerModule.forQueue(Queues.analyses),
    HealthModule.forWorker([RedisProbe]),
    AnalyseModule,
  ],
})
export class LogAnalysisWorkerModule {}
