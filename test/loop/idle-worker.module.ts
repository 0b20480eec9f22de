import {
  ConfigModule,
  DatabaseConfig,
  HealthConfig,
  LogConfig,
  RedisConfig,
  StepConfig,
  SweeperConfig,
  TracingConfig,
  type Environment,
} from '@fleet/config';
import type { QueueName } from '@fleet/contracts/queues';
import { HealthModule, TracingModule } from '@fleet/observability';
import { QueueModule, QueueWorkerModule, StepsProbe } from '@fleet/queue';
import { RedisModule, RedisProbe } from '@fleet/redis';
import { DatabaseProbe, StoreModule } from '@fleet/store';
import { Module, type DynamicModule } from '@nestjs/common';
import { IDLE_WORK, idleHandlers, IdleSteps, type IdleWork } from './idle-stages';

const sections = [DatabaseConfig, RedisConfig, StepConfig, SweeperConfig, HealthConfig, LogConfig, TracingConfig];

/** A worker as the apps wire theirs, with stages that do nothing. */
@Module({})
export class IdleWorkerModule {
  /** @param env the variables of its configuration; by default those of the process */
  static forQueue(queue: QueueName, work: IdleWork, env?: Environment): DynamicModule {
    return {
      module: IdleWorkerModule,
      imports: [
        ConfigModule.forRoot(sections, env),
        TracingModule.forService(`idle-${queue}`),
        StoreModule.forRoot(),
        RedisModule.forRoot(),
        QueueModule.forRoot(),
        QueueWorkerModule.forQueue(queue),
        HealthModule.forWorker([DatabaseProbe, RedisProbe, StepsProbe]),
      ],
      providers: [{ provide: IDLE_WORK, useValue: work }, IdleSteps, ...idleHandlers[queue]],
    };
  }
}
