import type { Provider } from '@nestjs/common';
import { FAILED_JOBS, QUEUED_JOBS } from '@fleet/ports';
import { PlainFailedJobs } from './failed-jobs.fake';
import type { HarnessOptions } from './harness-options';
import { PlainQueuedJobs } from './queued-jobs.fake';

/** Providers for the queued jobs. */
export const queueProviders = ({ failedJobs, queuedJobs }: HarnessOptions): readonly Provider[] => [
  { provide: FAILED_JOBS, useValue: failedJobs ?? new PlainFailedJobs([]) },
  { provide: QUEUED_JOBS, useValue: queuedJobs ?? new PlainQueuedJobs([]) },
];
