import { ConfigModule, ModelsConfig, workerSections } from '@fleet/config';
import { Queues } from '@fleet/contracts';
import { HealthModule, TracingModule } from '@fleet/observability';
import { QueueModule, QueueWorkerModule, StepsProbe } from '@fleet/queue';
import { SessionFolderModule, WorkRootProbe } from '@fleet/session-folder';
import { RedisProbe, SessionArchiveModule, SessionStoreModule } from '@fleet/session-store';
import { Module } from '@nestjs/common';
import { DecideModule } from './decide/decide.module';

@Module({
  imports: [
    ConfigModule.forRoot([...workerSections, ModelsConfig]),
    TracingModule.forService('decision-worker'),
    SessionStoreModule.forRoot(),
    QueueModule.forRoot(),
    QueueWorkerModule.forQueue(Queues.decisions),
    SessionFolderModule,
    SessionArchiveModule,
    HealthModule.forWorker([RedisProbe, WorkRootProbe, StepsProbe]),
    DecideModule,
  ],
})
export class DecisionWorkerModule {}
