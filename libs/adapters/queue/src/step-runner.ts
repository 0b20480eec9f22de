import type { QueueName } from '@fleet/contracts/queues';
import { STEP_SCHEDULE, type StepSchedule } from '@fleet/ports';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DelayedError, type Job } from 'bullmq';
import { jobError } from './job-error';
import { handlersOf, type AnyHandler } from './job-handlers';
import { isNewerPayload, NewerPayload, parsePayload } from './parse-payload';

/** The queue that this process works on. */
export const WORKER_QUEUE = Symbol('WorkerQueue');

/** A worker that is too old for a payload leaves it to a newer one for this long. */
const NEWER_PAYLOAD_DELAY_MS = 5_000;

/**
 * Age limit of such jobs: an upgrade is over by then. After a downgrade no newer worker comes, and thousands of such
 * jobs would circulate for ever; the sweeper of a release that supports their sessions' stages wakes those again.
 */
const LEFT_FOR_MS = 600_000;

/**
 * Passes a job to its handler. Handlers are looked up when the module starts: a job with no handler or with two stops
 * the process.
 */
@Injectable()
export class StepRunner implements OnModuleInit {
  private readonly logger = new Logger(StepRunner.name);
  private handlers: ReadonlyMap<string, AnyHandler> = new Map();
  /** When each step in progress began, by the monotonic clock. */
  private readonly running = new Map<symbol, number>();

  constructor(
    @Inject(WORKER_QUEUE) readonly queue: QueueName,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(STEP_SCHEDULE) private readonly schedule: StepSchedule,
  ) {}

  onModuleInit(): void {
    const candidates = this.discovery
      .getProviders()
      .map((wrapper) => ({ type: wrapper.metatype as unknown, instance: wrapper.instance as unknown }));
    this.handlers = handlersOf(this.queue, candidates);
  }

  /** Number of steps in progress. */
  get inProgress(): number {
    return this.running.size;
  }

  /** Milliseconds since the oldest of them began; 0 if there is none. */
  get oldestMs(): number {
    const [oldest] = this.running.values();
    return oldest === undefined ? 0 : performance.now() - oldest;
  }

  /** @throws what the queue library treats as "retry", "never retry" or "later" */
  async run(job: Job, token: string | undefined): Promise<unknown> {
    const step = Symbol(job.name);
    this.running.set(step, performance.now());
    try {
      return await this.handle(job);
    } catch (error) {
      if (!isNewerPayload(error) || Date.now() - job.timestamp > LEFT_FOR_MS) throw jobError(error);
      this.logger.warn({ message: `${error.message}; left for a newer worker`, queue: this.queue, jobId: job.id });
      await job.moveToDelayed(Date.now() + NEWER_PAYLOAD_DELAY_MS, token);
      throw new DelayedError();
    } finally {
      this.running.delete(step);
    }
  }

  private async handle(job: Job): Promise<unknown> {
    const handler = this.handlers.get(job.name);
    // Every job of this release has a handler: otherwise the process would not have started.
    if (handler === undefined) throw new NewerPayload(`job ${job.name} is not known`);
    const payload = parsePayload(job.data);
    const result = await handler.handle(payload);
    if (isWaiting(result)) await this.schedule.acknowledge(payload.sessionId, payload.sessionVersion);
    return result;
  }
}

/** The step ran and left the record unchanged: its wake-up is served and need not be sent again before the deadline. */
const isWaiting = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'outcome' in result && result.outcome === 'waiting';
