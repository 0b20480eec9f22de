import { Queues, type JobPlace, type QueueName } from '@fleet/contracts/queues';
import type { JobRange, QueuedJob, QueuedJobs, QueueState } from '@fleet/ports';

/** Jobs without queues. */
export class PlainQueuedJobs implements QueuedJobs {
  constructor(public jobs: readonly QueuedJob[]) {}

  states(): Promise<readonly QueueState[]> {
    const at = (name: QueueName, place: JobPlace): number => this.at(name, place).length;
    return Promise.resolve(
      Object.values(Queues).map((name) => {
        const [oldest] = this.at(name, 'waiting');
        return {
          name,
          isPaused: false,
          jobs: {
            active: at(name, 'active'),
            waiting: at(name, 'waiting'),
            delayed: at(name, 'delayed'),
            failed: at(name, 'failed'),
          },
          ...(oldest !== undefined && { oldestWaitingAt: oldest.addedAt }),
        };
      }),
    );
  }

  list(queue: QueueName, place: JobPlace, { order, offset, limit }: JobRange): Promise<readonly QueuedJob[]> {
    const oldestFirst = this.at(queue, place);
    const ordered = order === 'oldest' ? oldestFirst : [...oldestFirst].reverse();
    return Promise.resolve(ordered.slice(offset, offset + limit));
  }

  find(queue: QueueName, id: string): Promise<QueuedJob | undefined> {
    return Promise.resolve(this.jobs.find((job) => job.queue === queue && job.id === id));
  }

  hasten(queue: QueueName, id: string): Promise<boolean> {
    const isDelayed = (job: QueuedJob): boolean => job.queue === queue && job.id === id && job.place === 'delayed';
    const isThere = this.jobs.some(isDelayed);
    this.jobs = this.jobs.map((job) => (isDelayed(job) ? { ...job, place: 'waiting' } : job));
    return Promise.resolve(isThere);
  }

  private at(queue: QueueName, place: JobPlace): readonly QueuedJob[] {
    return this.jobs
      .filter((job) => job.queue === queue && job.place === place)
      .sort((one, other) => one.addedAt - other.addedAt);
  }
}
