import { ConfigModule, HealthConfig, LogConfig, RedisConfig, StepConfig, SweeperConfig } from '@fleet/config';
import type { QueueName } from '@fleet/contracts';
import { HealthModule } from '@fleet/observability';
import { QueueModule, QueueWorkerModule, StepsProbe } from '@fleet/queue';
import { RedisProbe, SessionStoreModule } from '@fleet/session-store';
import { Module, type DynamicModule } from '@nestjs/common';
import { IDLE_WORK, idleHandlers, IdleSteps, type IdleWork } from './idle-stages';

/** A worker as the apps wire theirs, with stages that do nothing. */
@Module({})
export class IdleWorkerModule {
  static forQueue(queue: QueueName, work: IdleWork): DynamicModule {
    return {
      module: IdleWorkerModule,
      imports: [
        ConfigModule.forRoot([RedisConfig, StepConfig, SweeperConfig, HealthConfig, LogConfig]),
        SessionStoreModule.forRoot(),
        QueueModule.forRoot(),
        QueueWorkerModule.forQueue(queue),
        HealthModule.forWorker([RedisProbe, StepsProbe]),
      ],
      providers: [{ provide: IDLE_WORK, useValue: work }, IdleSteps, ...idleHandlers[queue]],
    };
  }
}
