import type { FailedJob, FailedJobs } from '@fleet/ports';

/** Failed jobs without queues. */
export class PlainFailedJobs implements FailedJobs {
  constructor(public jobs: readonly FailedJob[]) {}

  list(): Promise<readonly FailedJob[]> {
    return Promise.resolve(this.jobs);
  }

  forget({ queue, id }: Pick<FailedJob, 'queue' | 'id'>): Promise<void> {
    this.jobs = this.jobs.filter((job) => job.queue !== queue || job.id !== id);
    return Promise.resolve();
  }
}
