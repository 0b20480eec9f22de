import type { Provider } from '@nestjs/common';
import {
  FAILED_JOBS,
  QUEUED_JOBS,
  SESSION_INDEX,
  SESSION_RECORDS,
  STEP_SCHEDULE,
  type FailedJobs,
  type QueuedJobs,
  type SessionIndex,
  type SessionRecords,
  type StepSchedule,
} from '@fleet/ports';
import { DeadSteps, LookedAtQueues } from '@fleet/queues';
import { ResumeSession } from '@fleet/sessions';

/** The commands for queued jobs and dead steps. */
export const queueCommands: readonly Provider[] = [
  {
    provide: DeadSteps,
    inject: [FAILED_JOBS, STEP_SCHEDULE, SESSION_RECORDS, ResumeSession],
    useFactory: (failed: FailedJobs, schedule: StepSchedule, records: SessionRecords, resuming: ResumeSession) =>
      new DeadSteps({ failed, schedule, records, resuming }),
  },
  {
    provide: LookedAtQueues,
    inject: [QUEUED_JOBS, SESSION_INDEX],
    useFactory: (jobs: QueuedJobs, index: SessionIndex) => new LookedAtQueues(jobs, index),
  },
];
