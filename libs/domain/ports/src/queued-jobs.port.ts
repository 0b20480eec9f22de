import type { JobOrder, JobPlace, QueueName } from '@fleet/contracts/queues';

export const QUEUED_JOBS = Symbol('QueuedJobs');

/** A job as its queue keeps it. Times are milliseconds since the epoch. */
export interface QueuedJob {
  readonly queue: QueueName;
  readonly id: string;
  /** Its name: the step. */
  readonly job: string;
  readonly place: JobPlace;
  /** Absent where its payload cannot be read. */
  readonly of?: { readonly sessionId: string; readonly sessionVersion: number };
  readonly payload: unknown;
  readonly tries: number;
  readonly mostTries: number;
  readonly addedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Of a delayed one. */
  readonly beginsAt?: number;
  readonly reason?: string;
  /** A line an entry. */
  readonly stack: readonly string[];
}

/** How a queue is as a whole. */
export interface QueueState {
  readonly name: QueueName;
  readonly isPaused: boolean;
  readonly jobs: Readonly<Record<JobPlace, number>>;
  readonly oldestWaitingAt?: number;
}

/** Which part of a list. */
export interface JobRange {
  readonly order: JobOrder;
  readonly offset: number;
  readonly limit: number;
}

/** What lies in the queues, to be looked at. All may throw a transient `Fault`. */
export interface QueuedJobs {
  states(): Promise<readonly QueueState[]>;
  /** Jobs of one place. One that leaves while it is read is left out. */
  list(queue: QueueName, place: JobPlace, range: JobRange): Promise<readonly QueuedJob[]>;
  find(queue: QueueName, id: string): Promise<QueuedJob | undefined>;
  /** Lets a delayed job begin now. @returns false where it is not delayed (any more) */
  hasten(queue: QueueName, id: string): Promise<boolean>;
}
