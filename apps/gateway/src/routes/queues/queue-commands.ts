import type { Provider } from '@nestjs/common';
import { FAILED_JOBS, QUEUED_JOBS, SESSION_INDEX, SESSION_RECORDS, STEP_SCHEDULE } from '@fleet/ports';
import { DeadSteps, QueueContents } from '@fleet/queues';
import { ResumeSession } from '@fleet/sessions';
import { provided, providedWith } from '@fleet/wiring';

/** The commands for queued jobs and dead steps. */
export const queueCommands: readonly Provider[] = [
  providedWith(DeadSteps, {
    failed: FAILED_JOBS,
    schedule: STEP_SCHEDULE,
    records: SESSION_RECORDS,
    resuming: ResumeSession,
  }),
  provided(QueueContents, QUEUED_JOBS, SESSION_INDEX),
];
