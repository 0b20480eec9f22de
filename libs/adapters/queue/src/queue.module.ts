import { StepConfig } from '@fleet/config';
import { queuePolicies, Queues, type QueueName } from '@fleet/contracts/queues';
import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DrainingWorkerHost } from './draining-worker.host';
import { StepRunner, WORKER_QUEUE } from './step-runner';
import { JobProducer } from './job-producer';
import { QueueConnection, QueueConnectionModule } from './queue-connection';
import { QueueLagProbe } from './queue-lag.probe';
import { QueuedFailures } from './queued-failures';
import { QueuedWakeUps } from './queued-wake-ups';
import { QUEUE_POLICIES, adjusted, type QueuePolicies } from './queue-policies';
import { StepsProbe } from './steps.probe';
import { Sweeper } from './sweeper';
import { WakeUps } from './wake-ups';

/**
 * For adding jobs: JobProducer, WakeUps, the queue contents, the dead jobs and the lag probe. Needs RedisConfig,
 * StepConfig and HealthConfig from ConfigModule, and SESSION_RECORDS and STEP_SCHEDULE from SessionStoreModule.
 */
@Module({})
export class QueueModule {
  static forRoot(): DynamicModule {
    return {
      module: QueueModule,
      global: true,
      imports: [
        BullModule.forRootAsync({
          imports: [QueueConnectionModule],
          inject: [QueueConnection],
          useFactory: ({ redis, prefix }: QueueConnection) => ({ connection: redis, prefix }),
        }),
        BullModule.registerQueue(...Object.values(Queues).map((name) => ({ name }))),
      ],
      providers: [
        { provide: QUEUE_POLICIES, inject: [StepConfig], useFactory: policiesOf },
        JobProducer,
        WakeUps,
        QueuedFailures,
        QueuedWakeUps,
        QueueLagProbe,
      ],
      exports: [QUEUE_POLICIES, JobProducer, WakeUps, QueuedFailures, QueuedWakeUps, QueueLagProbe],
    };
  }
}

const policiesOf = (config: StepConfig): QueuePolicies => ({
  decisions: adjusted(queuePolicies.decisions, config),
  executions: adjusted(queuePolicies.executions, config),
  analyses: adjusted(queuePolicies.analyses, config),
});

/** Only the sweeper. Needs SweeperConfig. Every worker already has one. */
@Module({ providers: [Sweeper], exports: [Sweeper] })
class SweeperModule {}

/** For processing one queue: the handlers marked with HandlesJob, and a sweeper. */
@Module({})
export class QueueWorkerModule {
  static forQueue(queue: QueueName): DynamicModule {
    return {
      module: QueueWorkerModule,
      global: true,
      imports: [DiscoveryModule, QueueConnectionModule, SweeperModule],
      providers: [{ provide: WORKER_QUEUE, useValue: queue }, StepRunner, StepsProbe, DrainingWorkerHost],
      exports: [SweeperModule, StepsProbe],
    };
  }
}
