import { closed, exactly, integer, record, type Described } from '../schema/schema';
import { sessionIdText } from '../sessions/session';

/** Wire names: never rename a queue in place, because its jobs would be stranded. */
export const Queues = {
  decisions: 'decisions',
  executions: 'executions',
  analyses: 'analyses',
} as const;
export type QueueName = (typeof Queues)[keyof typeof Queues];

/** The worker that takes the jobs of a queue, as its image, its Deployment and its metrics are named. */
export const workersOfQueues = {
  [Queues.decisions]: 'decision-worker',
  [Queues.executions]: 'executor-worker',
  [Queues.analyses]: 'log-analysis-worker',
} as const satisfies Readonly<Record<QueueName, string>>;

/** A step contains ids and a version, never file contents. */
export const stepPayloadSchema = closed(
  record({
    version: exactly(1, "version of this payload's layout; a worker that is too old for it puts the job back"),
    sessionId: sessionIdText,
    sessionVersion: integer('the session version that this step was made for; with any other one it is stale', {
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  }),
);
export type StepPayload = Described<typeof stepPayloadSchema>;

export interface StepResult {
  /** `stale`: the session had moved on. `waiting`: the program still runs. */
  readonly outcome: 'advanced' | 'waiting' | 'stale';
}

/** Maps queues to jobs to payload and result. The only declaration of jobs. */
interface JobMap {
  [Queues.decisions]: { decide: { payload: StepPayload; result: StepResult } };
  [Queues.executions]: {
    execute: { payload: StepPayload; result: StepResult };
    cancel: { payload: StepPayload; result: StepResult };
  };
  [Queues.analyses]: { analyse: { payload: StepPayload; result: StepResult } };
}

export type JobName<Q extends QueueName> = keyof JobMap[Q] & string;
export type PayloadOf<Q extends QueueName, J extends JobName<Q>> = JobMap[Q][J] extends { payload: infer P }
  ? P
  : never;
export type ResultOf<Q extends QueueName, J extends JobName<Q>> = JobMap[Q][J] extends { result: infer R } ? R : never;

/** The jobs of each queue at run time; a missing job is a compile error. */
export const jobNames = {
  [Queues.decisions]: { decide: true },
  [Queues.executions]: { execute: true, cancel: true },
  [Queues.analyses]: { analyse: true },
} as const satisfies { [Q in QueueName]: Record<JobName<Q>, true> };

/** A queue defines its whole policy; no default of the queue library applies silently. */
export interface QueuePolicy {
  /** Attempts of a step that throws a transient fault. */
  readonly attempts: number;
  readonly backoff: { readonly type: 'exponential'; readonly delayMs: number; readonly jitter: number };
  /** Completed jobs are deleted: the record is the source of truth, and a stored id would suppress its own wake-up. */
  readonly removeOnComplete: true;
  /** How many failed jobs stay for inspection. */
  readonly keepFailed: number;
  /** How often a job may lose its worker before it counts as failed; the sweeper wakes the session again anyway. */
  readonly maxStalledCount: number;
  readonly stalledIntervalMs: number;
  readonly lockDurationMs: number;
  readonly concurrency: number;
  /** How long a worker that receives a stop request waits for its steps. */
  readonly drainTimeoutMs: number;
}

const step = {
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 200, jitter: 0.5 },
  removeOnComplete: true,
  keepFailed: 1000,
  maxStalledCount: 20,
  stalledIntervalMs: 5_000,
  lockDurationMs: 30_000,
} as const;

export const queuePolicies: Readonly<Record<QueueName, QueuePolicy>> = {
  [Queues.decisions]: { ...step, concurrency: 8, drainTimeoutMs: 20_000 },
  [Queues.executions]: { ...step, concurrency: 16, drainTimeoutMs: 20_000 },
  [Queues.analyses]: { ...step, concurrency: 4, drainTimeoutMs: 60_000 },
};
