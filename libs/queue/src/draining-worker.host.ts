import { RedisConfig } from '@fleet/config';
import type { QueueName } from '@fleet/contracts';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DelayedError, Worker, type Job } from 'bullmq';
import { setTimeout as sleep } from 'node:timers/promises';
import { ErrorLog } from './error-log';
import { jobError } from './job-error';
import { handlersOf, type AnyHandler } from './job-handlers';
import { logJobs } from './job-log';
import { isNewerPayload, parsePayload, StepPayloadDto } from './parse-payload';
import { queueKeyPrefix, workerConnection } from './queue-connection';
import { QUEUE_POLICIES, type QueuePolicies } from './queue-policies';

/** The queue that this process works on. */
export const WORKER_QUEUE = Symbol('WorkerQueue');

/** A worker that is too old for a payload leaves it to a newer one for this long. */
const NEWER_PAYLOAD_DELAY_MS = 5_000;

/**
 * Takes the jobs of one queue and gives them to their handlers.
 *
 * Handlers are looked up when the module starts: a job without one, or with two, stops the process.
 * When the process is told to end, it drains in `beforeApplicationShutdown`, one phase before queues and connections close:
 * a step that is under way can still write its result and wake its successor.
 */
@Injectable()
export class DrainingWorkerHost implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DrainingWorkerHost.name);
  private handlers: ReadonlyMap<string, AnyHandler> = new Map();
  private worker: Worker | undefined;

  constructor(
    @Inject(WORKER_QUEUE) private readonly queue: QueueName,
    @Inject(RedisConfig) private readonly redis: RedisConfig,
    @Inject(QUEUE_POLICIES) private readonly policies: QueuePolicies,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    const candidates = this.discovery
      .getProviders()
      .map((wrapper) => ({ type: wrapper.metatype as unknown, instance: wrapper.instance as unknown }));
    this.handlers = handlersOf(this.queue, candidates);
  }

  /** After every module is ready, so that no step meets half an application. */
  async onApplicationBootstrap(): Promise<void> {
    const policy = this.policies[this.queue];
    const worker = new Worker(this.queue, (job, token) => this.process(job, token), {
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
    logJobs(worker, this.queue, this.logger);
    this.worker = worker;
    await worker.waitUntilReady();
    worker.run().catch((error: unknown) => {
      errors.report('taking jobs', error);
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.worker === undefined) return;
    const { drainTimeoutMs } = this.policies[this.queue];
    const drained = this.worker.close().then(() => true);
    if (await Promise.race([drained, sleep(drainTimeoutMs, false, { ref: false })])) return;
    this.logger.warn({
      message: 'steps did not end in time, their queue takes them back',
      queue: this.queue,
      drainTimeoutMs,
    });
    await this.worker.close(true);
  }

  private async process(job: Job, token: string | undefined): Promise<unknown> {
    try {
      const handler = this.handlers.get(job.name);
      if (handler === undefined) throw new Error(`no handler for job ${job.name}`);
      return await handler.handle(parsePayload(StepPayloadDto, job.data));
    } catch (error) {
      if (!isNewerPayload(error)) throw jobError(error);
      this.logger.warn({ message: `${error.message}; left for a newer worker`, queue: this.queue, jobId: job.id });
      await job.moveToDelayed(Date.now() + NEWER_PAYLOAD_DELAY_MS, token);
      throw new DelayedError();
    }
  }
}
