import type { QueueName } from '@fleet/contracts/queues';

export const FAILED_JOBS = Symbol('FailedJobs');

/** A job without further retries. */
export interface FailedJob {
  readonly queue: QueueName;
  readonly id: string;
  /** Its name: the step. */
  readonly job: string;
  /** Absent if its payload cannot be read. */
  readonly of?: { readonly sessionId: string; readonly sessionVersion: number };
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly failedAt: number;
  /** One entry per line. */
  readonly stack: readonly string[];
}

/** Permanently failed jobs in the queues: the last thousand of each. May throw a transient `Fault`. */
export interface FailedJobs {
  list(): Promise<readonly FailedJob[]>;
  /** Removes it from the list. Idempotent. */
  forget(job: Pick<FailedJob, 'queue' | 'id'>): Promise<void>;
}
