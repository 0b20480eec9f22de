import type { QueueName } from '@fleet/contracts/queues';

export const FAILED_JOBS = Symbol('FailedJobs');

/** A job that its queue tries no more. */
export interface FailedJob {
  readonly queue: QueueName;
  readonly id: string;
  /** Its name: the step. */
  readonly job: string;
  /** Absent where its payload cannot be read. */
  readonly of?: { readonly sessionId: string; readonly sessionVersion: number };
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly failedAt: number;
  /** A line an entry. */
  readonly stack: readonly string[];
}

/** Jobs that failed for good, as the queues keep them: the last thousand of each. May throw a transient `Fault`. */
export interface FailedJobs {
  list(): Promise<readonly FailedJob[]>;
  /** It is not listed any more. Idempotent. */
  forget(job: Pick<FailedJob, 'queue' | 'id'>): Promise<void>;
}
