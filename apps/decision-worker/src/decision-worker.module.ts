import { ConfigModule, ModelsConfig, workerSections } from '@fleet/config';
import { Queues } from '@fleet/contracts/queues';
import { HealthModule, TracingModule } from '@fleet/observability';
import { QueueModule, QueueWorkerModule, StepsProbe } from '@fleet/queue';
import { SessionFolderModule, WorkRootProbe } from '@fleet/session-folder';
import { RedisModule, RedisProbe } from '@fleet/redis';
import { DatabaseProbe, StoreModule } from '@fleet/store';
import { Module } from '@nestjs/common';
import { DecideModule } from './decide.module';

@Module({
  imports: [
    ConfigModule.forRoot([...workerSections, ModelsConfig]),
    TracingModule.forService('decision-worker'),
    StoreModule.forRoot(),
    RedisModule.forRoot(),
    QueueModule.forRoot(),
    QueueWorkerModule.forQueue(Queues.decisions),
    SessionFolderModule,
    HealthModule.forWorker([DatabaseProbe, RedisProbe, WorkRootProbe, StepsProbe]),
    DecideModule,
  ],
})
export class DecisionWorkerModule {}
