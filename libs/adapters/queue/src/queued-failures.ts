import { Queues, type QueueName } from '@fleet/contracts/queues';
import type { FailedJob, FailedJobs } from '@fleet/ports';
import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Job, Queue } from 'bullmq';
import { reaching } from './reaching-queue';
import { sessionOfJob } from './session-of-job';

/** The failed jobs that the queue library stores (`QueuePolicy.keepFailed` of each queue). */
@Injectable()
export class QueuedFailures implements FailedJobs {
  private readonly queues: Readonly<Record<QueueName, Queue>>;

  constructor(
    @InjectQueue(Queues.decisions) decisions: Queue,
    @InjectQueue(Queues.executions) executions: Queue,
    @InjectQueue(Queues.analyses) analyses: Queue,
  ) {
    this.queues = { decisions, executions, analyses };
  }

  /** @throws Fault `queue.unreachable` (transient) */
  async list(): Promise<readonly FailedJob[]> {
    const each = Object.values(Queues).map((queue) =>
      reaching(queue, async () => {
        const jobs: readonly (Job | undefined)[] = await this.queues[queue].getFailed();
        // A job that was removed between the list and its fields is undefined.
        return jobs.flatMap((job) => (job === undefined ? [] : [failedJob(queue, job)]));
      }),
    );
    return (await Promise.all(each)).flat();
  }

  /** A job that is no longer failed is left unchanged. @throws Fault `queue.unreachable` (transient) */
  async forget({ queue, id }: Pick<FailedJob, 'queue' | 'id'>): Promise<void> {
    await reaching(queue, async () => {
      const job = await this.queues[queue].getJob(id);
      if (job !== undefined && (await job.isFailed())) await job.remove();
    });
  }
}

const failedJob = (queue: QueueName, job: Job): FailedJob => {
  const of = sessionOfJob(job.data);
  return {
    queue,
    id: job.id ?? '',
    job: job.name,
    ...(of !== undefined && { of }),
    reason: job.failedReason,
    failedAt: job.finishedOn ?? job.timestamp,
    stack: job.stacktrace?.at(-1)?.split('\n') ?? [],
  };
};
