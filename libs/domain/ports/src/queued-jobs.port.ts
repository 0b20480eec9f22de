import type { JobOrder, JobPlace, QueueName } from '@fleet/contracts/queues';

export const QUEUED_JOBS = Symbol('QueuedJobs');

/** A job in its queue. Times are milliseconds since the epoch. */
export interface QueuedJob {
  readonly queue: QueueName;
  readonly id: string;
  /** Its name: the step. */
  readonly job: string;
  readonly place: JobPlace;
  /** Absent if its payload cannot be read. */
  readonly of?: { readonly sessionId: string; readonly sessionVersion: number };
  readonly payload: unknown;
  readonly tries: number;
  readonly mostTries: number;
  readonly addedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** For a delayed job. */
  readonly beginsAt?: number;
  readonly reason?: string;
  /** One entry per line. */
  readonly stack: readonly string[];
}

/** The state of a whole queue. */
export interface QueueState {
  readonly name: QueueName;
  readonly isPaused: boolean;
  readonly jobs: Readonly<Record<JobPlace, number>>;
  readonly oldestWaitingAt?: number;
}

/** Part of a list. */
export interface JobRange {
  readonly order: JobOrder;
  readonly offset: number;
  readonly limit: number;
}

/** Inspection of the queues. All methods may throw a transient `Fault`. */
export interface QueuedJobs {
  states(): Promise<readonly QueueState[]>;
  /** Jobs of one state. A job that leaves it during the read is omitted. */
  list(queue: QueueName, place: JobPlace, range: JobRange): Promise<readonly QueuedJob[]>;
  find(queue: QueueName, id: string): Promise<QueuedJob | undefined>;
  /** Starts a delayed job now. @returns false if it is not delayed (any more) */
  hasten(queue: QueueName, id: string): Promise<boolean>;
}
