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
import { QueueConnection, queueKeyPrefix, workerConnection } from './queue-connection';
import { QUEUE_POLICIES, type QueuePolicies } from './queue-policies';
import { StepRunner } from './step-runner';
import { WakeUps } from './wake-ups';

/** If Redis is unreachable for this long and no step is in progress, the worker stops waiting, in milliseconds. */
const goneAfterMs = 3_000;
const pollMs = 250;
/**
 * Delay after a failed Redis call of the library, in milliseconds. Its default, 15 seconds, would leave queues idle
 * long after Redis is back.
 */
const retryMs = 1_000;

/**
 * Processes the jobs of one queue under that queue's policy.
 *
 * When the process receives SIGTERM, it drains in `beforeApplicationShutdown`, one phase before queues and connections
 * close. A step in progress can therefore still write its result and wake its successor.
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
    @Inject(QueueConnection) private readonly adding: QueueConnection,
  ) {}

  /** Starts after every module is ready, so that no step meets a partly initialised application. */
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
      runRetryDelay: retryMs,
    });
    const errors = new ErrorLog(this.logger);
    worker.on('error', (error) => errors.report('worker connection', error));
    logJobs(worker, queue, this.logger);
    this.worker = worker;
    await worker.waitUntilReady();
    worker.run().catch((error: unknown) => errors.report('taking jobs', error));
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.worker === undefined) return;
    const { queue } = this.steps;
    const { drainTimeoutMs } = this.policies[queue];
    const settled = new AbortController();
    const ending = await Promise.race([
      this.drain(this.worker),
      sleep(drainTimeoutMs, 'steps did not end in time and return to their queue' as const, { ref: false }),
      this.isolated(settled.signal),
    ]);
    settled.abort();
    if (ending === 'drained') return;
    this.logger.warn({ message: ending, queue, drainTimeoutMs });
    // The library's close keeps waiting, whatever the second call says.
    this.worker
      .disconnect()
      .catch((error: unknown) =>
        this.logger.warn({ message: 'the connections to Redis were not cut', reason: String(error) }),
      );
  }

  /** First the steps, then the wake-ups that they sent. */
  private async drain(worker: Worker): Promise<'drained'> {
    await worker.close();
    await this.wakeUps.settled();
    return 'drained';
  }

  /** Resolves when Redis has been unreachable for seconds and no step in progress could end without it. */
  private async isolated(settled: AbortSignal): Promise<'Redis is unreachable, and no step is in progress'> {
    const { redis } = this.adding;
    for (let awayMs = 0; awayMs < goneAfterMs && !settled.aborted;) {
      await sleep(pollMs, undefined, { ref: false });
      awayMs = redis.status === 'ready' || this.steps.inProgress > 0 ? 0 : awayMs + pollMs;
    }
    return 'Redis is unreachable, and no step is in progress';
  }
}
