import { Queues, type JobPlace, type QueueName } from '@fleet/contracts/queues';
import type { JobRange, QueuedJob, QueuedJobs, QueueState } from '@fleet/ports';
import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Job, Queue } from 'bullmq';
import { reaching } from './reaching-queue';
import { sessionOfJob } from './session-of-job';

/** Our name for each state that the queue library reports for our jobs. */
const ourStates: Readonly<Record<string, JobPlace>> = {
  active: 'active',
  waiting: 'waiting',
  prioritized: 'waiting',
  delayed: 'delayed',
  failed: 'failed',
};

/** The contents of the queues, from the queue library. */
@Injectable()
export class QueuedWakeUps implements QueuedJobs {
  private readonly queues: Readonly<Record<QueueName, Queue>>;

  constructor(
    @InjectQueue(Queues.decisions) decisions: Queue,
    @InjectQueue(Queues.executions) executions: Queue,
    @InjectQueue(Queues.analyses) analyses: Queue,
  ) {
    this.queues = { decisions, executions, analyses };
  }

  states(): Promise<readonly QueueState[]> {
    return Promise.all(Object.values(Queues).map((name) => reaching(name, () => this.stateOf(name))));
  }

  list(queue: QueueName, place: JobPlace, { order, offset, limit }: JobRange): Promise<readonly QueuedJob[]> {
    return reaching(queue, async () => {
      const jobs: readonly (Job | undefined)[] = await this.queues[queue].getJobs(
        [place],
        offset,
        offset + limit - 1,
        order === 'oldest',
      );
      // A job that was removed between the list and its fields is undefined.
      return jobs.flatMap((job) => (job === undefined ? [] : [queuedJob(queue, place, job)]));
    });
  }

  find(queue: QueueName, id: string): Promise<QueuedJob | undefined> {
    return reaching(queue, async () => {
      const job: Job | undefined = await this.queues[queue].getJob(id);
      if (job === undefined) return undefined;
      const state = ourStates[await job.getState()];
      return state === undefined ? undefined : queuedJob(queue, state, job);
    });
  }

  hasten(queue: QueueName, id: string): Promise<boolean> {
    return reaching(queue, async () => {
      const job: Job | undefined = await this.queues[queue].getJob(id);
      if (job === undefined || !(await job.isDelayed())) return false;
      try {
        await job.promote();
        return true;
      } catch (error) {
        // A worker took it first, which was the aim.
        if (!(await job.isDelayed())) return false;
        throw error;
      }
    });
  }

  private async stateOf(name: QueueName): Promise<QueueState> {
    const queue = this.queues[name];
    const [counts, isPaused, [oldest]] = await Promise.all([
      queue.getJobCounts('active', 'waiting', 'delayed', 'failed'),
      queue.isPaused(),
      queue.getJobs(['waiting'], 0, 0, true),
    ]);
    const { active = 0, waiting = 0, delayed = 0, failed = 0 } = counts;
    return {
      name,
      isPaused,
      jobs: { active, waiting, delayed, failed },
      ...(oldest !== undefined && { oldestWaitingAt: oldest.timestamp }),
    };
  }
}

const queuedJob = (queue: QueueName, place: JobPlace, job: Job): QueuedJob => {
  const of = sessionOfJob(job.data);
  return {
    queue,
    id: job.id ?? '',
    job: job.name,
    place,
    ...(of !== undefined && { of }),
    payload: job.data as unknown,
    tries: job.attemptsMade,
    mostTries: Math.max(1, job.opts.attempts ?? 1),
    addedAt: job.timestamp,
    ...timesOf(place, job),
    ...(job.failedReason && { reason: job.failedReason }),
    stack: job.stacktrace?.at(-1)?.split('\n') ?? [],
  };
};

/**
 * A delay counts from when the job was postponed: for the first try when it was added, later when the try before ended.
 */
const timesOf = (
  place: JobPlace,
  { processedOn, finishedOn, timestamp, delay }: Job,
): Pick<QueuedJob, 'startedAt' | 'endedAt' | 'beginsAt'> => ({
  ...(processedOn !== undefined && { startedAt: processedOn }),
  ...(finishedOn !== undefined && { endedAt: finishedOn }),
  ...(place === 'delayed' && { beginsAt: (processedOn ?? timestamp) + delay }),
});
