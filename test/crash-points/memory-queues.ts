import { queuePolicies, type QueueName, type StepPayload } from '@fleet/contracts/queues';
import type { JobLookup, JobState } from '@fleet/queue';

/** A job as a worker has it. */
export interface TakenJob {
  readonly queue: QueueName;
  readonly name: string;
  readonly id: string;
  readonly payload: StepPayload;
}

interface QueuedJob extends TakenJob {
  state: JobState;
  tries: number;
}

/** The queues of all workers, as BullMQ keeps them: a job has one id, is taken by one worker, and comes back from one that died. */
export class MemoryQueues {
  private readonly jobs = new Map<string, QueuedJob>();

  /** How many jobs are left to do. */
  get left(): number {
    return this.all('waiting').length + this.all('active').length;
  }

  add(queue: QueueName, name: string, payload: StepPayload, id: string): Promise<void> {
    if (!this.jobs.has(id)) this.jobs.set(id, { queue, name, id, payload, state: 'waiting', tries: 0 });
    return Promise.resolve();
  }

  lookUp(_queue: QueueName, id: string): Promise<JobLookup> {
    return Promise.resolve({ state: this.jobs.get(id)?.state ?? 'missing' });
  }

  take(): Promise<TakenJob | undefined> {
    const [job] = this.all('waiting');
    if (job !== undefined) job.state = 'active';
    return Promise.resolve(job);
  }

  complete({ id }: TakenJob): Promise<void> {
    this.jobs.delete(id);
    return Promise.resolve();
  }

  /** It is tried again, or was tried often enough. */
  fail({ id, queue }: TakenJob): Promise<void> {
    const job = this.jobs.get(id);
    if (job === undefined) return Promise.resolve();
    job.tries += 1;
    job.state = job.tries < queuePolicies[queue].attempts ? 'waiting' : 'failed';
    return Promise.resolve();
  }

  /** Jobs whose worker does nothing with them any more wait again. Returns whether there were any. */
  takeBack(): boolean {
    const stalled = this.all('active');
    for (const job of stalled) job.state = 'waiting';
    return stalled.length > 0;
  }

  /** As if Redis had been emptied. */
  empty(): void {
    this.jobs.clear();
  }

  private all(state: JobState): readonly QueuedJob[] {
    return [...this.jobs.values()].filter((job) => job.state === state);
  }
}
