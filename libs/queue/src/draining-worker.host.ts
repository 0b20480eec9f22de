import { RedisConfig } from '@fleet/config';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Worker } from 'bullmq';
import { setTimeout as sleep } from 'node:timers/promises';
import { ErrorLog } from './error-log';
import { logJobs } from './job-log';
import { queueKeyPrefix, workerConnection } from './queue-connection';
import { QUEUE_POLICIES, type QueuePolicies } from './queue-policies';
import { StepRunner } from './step-runner';
import { WakeUps } from './wake-ups';

/**
 * Takes the jobs of one queue, under that queue's policy.
 *
 * When the process is told to end, it drains in `beforeApplicationShutdown`, one phase before queues and connections close:
 * a step that is under way can still write its result and wake its successor.
 */
@Injectable()
export class DrainingWorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DrainingWorkerHost.name);
  private worker: Worker | undefined;

  constructor(
    @Inject(StepRunner) private readonly steps: StepRunner,
    @Inject(RedisConfig) private readonly redis: RedisConfig,
    @Inject(QUEUE_POLICIES) private readonly policies: QueuePolicies,
    @Inject(WakeUps) private readonly wakeUps: WakeUps,
  ) {}

  /** After every module is ready, so that no step meets half an application. */
  async onApplicationBootstrap(): Promise<void> {
    const { queue } = this.steps;
    const policy = this.policies[queue];
    const worker = new Worker(queue, (job, token) => this.steps.run(job, token), {
      connection: workerConnection(this.redis),
      prefix: queueKeyPrefix(this.redis),
      autorun: false,
      concurrency: policy.concurrency,
      lockDuration: policy.lockDurationMs,
      stalledInterval: policy.stalledIntervalMs,
      maxStalledCount: policy.maxStalledCount,
    });
    const errors = new ErrorLog(this.logger);
    worker.on('error', (error) => {
      errors.report('worker connection', error);
    });
    logJobs(worker, queue, this.logger);
    this.worker = worker;
    await worker.waitUntilReady();
    worker.run().catch((error: unknown) => {
      errors.report('taking jobs', error);
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.worker === undefined) return;
    const { queue } = this.steps;
    const { drainTimeoutMs } = this.policies[queue];
    if (await Promise.race([this.drain(this.worker), sleep(drainTimeoutMs, false, { ref: false })])) return;
    this.logger.warn({ message: 'steps did not end in time, their queue takes them back', queue, drainTimeoutMs });
    await this.worker.close(true);
  }

  /** The steps first, then the wake-ups that they left. */
  private async drain(worker: Worker): Promise<true> {
    await worker.close();
    await this.wakeUps.settled();
    return true;
  }
}
