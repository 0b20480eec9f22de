import type { BacklogState } from '@fleet/contracts/metrics';
import { Queues, type JobName, type PayloadOf, type QueueName, type QueuePolicy } from '@fleet/contracts/queues';
import { GroupedCalls } from '@fleet/grouped-calls';
import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Job, JobsOptions, Queue } from 'bullmq';
import { ErrorLog } from './error-log';
import { QUEUE_POLICIES, type QueuePolicies } from './queue-policies';
import { reaching } from './reaching-queue';

/** The state of a job. `missing`: its queue does not contain it. */
export type JobState = 'waiting' | 'active' | 'failed' | 'completed' | 'missing';

/** The jobs of a queue at one moment, by state. */
export interface Backlog {
  readonly jobs: Readonly<Record<BacklogState, number>>;
  /** Age of the oldest waiting job in milliseconds; 0 if none waits. */
  readonly oldestMs: number;
}

export interface JobLookup {
  readonly state: JobState;
  /** Why it failed, if it did. */
  readonly failedReason?: string;
}

/** A job on its way into a queue. */
type NewJob = Parameters<Queue['addBulk']>[0][number];

/**
 * Calls of `addBulk`. Measured: one millisecond makes groups of four when sessions are submitted one after the other, and
 * saves a third of the cost of a wake-up.
 */
const grouping = { largest: 200, pauseMs: 1 };

/** Adds jobs. A job for the wrong queue or with a wrong payload does not compile. */
@Injectable()
export class JobProducer {
  private readonly queues: Readonly<Record<QueueName, Queue>>;
  private readonly adding: Readonly<Record<QueueName, GroupedCalls<NewJob, unknown>>>;
  private readonly options: Readonly<Record<QueueName, JobsOptions>>;

  constructor(
    @InjectQueue(Queues.decisions) decisions: Queue,
    @InjectQueue(Queues.executions) executions: Queue,
    @InjectQueue(Queues.analyses) analyses: Queue,
    @Inject(QUEUE_POLICIES) policies: QueuePolicies,
  ) {
    this.queues = { decisions, executions, analyses };
    this.adding = forEachQueue(
      (queue) => new GroupedCalls<NewJob, unknown>((jobs) => this.queues[queue].addBulk([...jobs]), grouping),
    );
    this.options = forEachQueue((queue) => jobOptions(policies[queue]));
    // Attached at once: the library prints unhandled errors to the console with their command, which may contain the
    // password.
    const errors = new ErrorLog(new Logger(JobProducer.name));
    for (const queue of Object.values(this.queues))
      queue.on('error', (error) => errors.report('queue connection', error));
  }

  /**
   * Adds a job under its id; a no-op while a job of that id is in the queue.
   * @throws Fault `queue.unreachable` (transient)
   */
  async add<Q extends QueueName, J extends JobName<Q>>(
    queue: Q,
    job: J,
    payload: PayloadOf<Q, J>,
    jobId: string,
  ): Promise<void> {
    const opts = { jobId, ...this.options[queue] };
    await reaching(queue, () => this.adding[queue].call({ name: job, data: payload, opts }));
  }

  /**
   * A job newer than the oldest waiting one waits too. Only older ones are searched for in the queue's lists, at a cost
   * proportional to their length: sweepers look up every overdue session, and thousands may wait.
   * @throws Fault `queue.unreachable` (transient)
   */
  async lookUp(queue: QueueName, jobId: string): Promise<JobLookup> {
    const job = await reaching(queue, () => this.queues[queue].getJob(jobId));
    if (job === undefined) return { state: 'missing' };
    if (isFresh(job)) {
      const oldest = await this.oldestWaiting(queue);
      if (oldest !== undefined && oldest.timestamp <= job.timestamp) return { state: 'waiting' };
    }
    const state = await reaching(queue, () => job.getState());
    const known = lookedUp[state];
    return known === 'failed' ? { state: known, failedReason: job.failedReason } : { state: known };
  }

  /** Age of the oldest waiting job of a queue in milliseconds; 0 if none waits. */
  async lagMs(queue: QueueName, now: number): Promise<number> {
    const oldest = await this.oldestWaiting(queue);
    return oldest === undefined ? 0 : Math.max(0, now - oldest.timestamp);
  }

  /**
   * The remaining jobs in all states of the library: a job whose delay is over stays among the delayed ones until a
   * worker checks.
   * @throws Fault `queue.unreachable` (transient)
   */
  backlog(queue: QueueName, now: number): Promise<Backlog> {
    return reaching(queue, async () => {
      const source = this.queues[queue];
      const [counts, due, ...first] = await Promise.all([
        source.getJobCounts('waiting', 'prioritized', 'active', 'delayed'),
        source.getDelayedCount(now),
        source.getJobs(['waiting'], 0, 0, true),
        source.getJobs(['prioritized'], 0, 0, true),
        source.getJobs(['delayed'], 0, 0, true),
      ]);
      const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
      const since = Math.min(now, ...first.flat().map(({ timestamp, delay }) => timestamp + delay));
      return {
        jobs: { waiting, prioritized, due, later: Math.max(0, delayed - due), active },
        oldestMs: now - since,
      };
    });
  }

  private async oldestWaiting(queue: QueueName): Promise<Job | undefined> {
    const [oldest] = await reaching(queue, () => this.queues[queue].getJobs(['wait'], 0, 0, true));
    return oldest;
  }
}

/** No worker has taken it yet. */
const isFresh = ({ processedOn, finishedOn }: Job): boolean => processedOn === undefined && finishedOn === undefined;

const forEachQueue = <T>(make: (queue: QueueName) => T): Readonly<Record<QueueName, T>> => ({
  decisions: make('decisions'),
  executions: make('executions'),
  analyses: make('analyses'),
});

type QueueJobState = Awaited<ReturnType<Awaited<ReturnType<Queue['add']>>['getState']>>;

const lookedUp: Readonly<Record<QueueJobState, JobState>> = {
  waiting: 'waiting',
  delayed: 'waiting',
  prioritized: 'waiting',
  'waiting-children': 'waiting',
  active: 'active',
  failed: 'failed',
  completed: 'completed',
  unknown: 'missing',
};

const jobOptions = ({ attempts, backoff, removeOnComplete, keepFailed }: QueuePolicy): JobsOptions => ({
  attempts,
  backoff: { type: backoff.type, delay: backoff.delayMs, jitter: backoff.jitter },
  removeOnComplete,
  removeOnFail: { count: keepFailed },
  stackTraceLimit: 3,
});
