import {
  ArchiveConfig,
  ConfigModule,
  HealthConfig,
  LogConfig,
  RedisConfig,
  StepConfig,
  StorageConfig,
  SweeperConfig,
  TracingConfig,
  type Environment,
} from '@fleet/config';
import type { QueueName } from '@fleet/contracts';
import { HealthModule, TracingModule } from '@fleet/observability';
import { QueueModule, QueueWorkerModule, StepsProbe } from '@fleet/queue';
import { SessionFolderModule } from '@fleet/session-folder';
import { RedisProbe, SessionArchiveModule, SessionStoreModule } from '@fleet/session-store';
import { Module, type DynamicModule } from '@nestjs/common';
import { IDLE_WORK, idleHandlers, IdleSteps, type IdleWork } from './idle-stages';

const sections = [RedisConfig, StepConfig, SweeperConfig, HealthConfig, LogConfig, TracingConfig];

/** A worker as the apps wire theirs, with stages that do nothing. */
@Module({})
export class IdleWorkerModule {
  /** @param env the variables of its configuration; by default those of the process */
  static forQueue(queue: QueueName, work: IdleWork, env?: Environment): DynamicModule {
    const archived = work.archived === true;
    return {
      module: IdleWorkerModule,
      imports: [
        ConfigModule.forRoot([...sections, ...(archived ? [StorageConfig, ArchiveConfig] : [])], env),
        TracingModule.forService(`idle-${queue}`),
        SessionStoreModule.forRoot(),
        QueueModule.forRoot(),
        QueueWorkerModule.forQueue(queue),
        HealthModule.forWorker([RedisProbe, StepsProbe]),
        ...(archived ? [SessionFolderModule, SessionArchiveModule] : []),
      ],
      providers: [{ provide: IDLE_WORK, useValue: work }, IdleSteps, ...idleHandlers[queue]],
    };
  }
}
