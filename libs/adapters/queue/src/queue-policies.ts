import type { StepConfig } from '@fleet/config';
import type { QueueName, QueuePolicy } from '@fleet/contracts/queues';

/** The policies in force: `queuePolicies` of the contracts as StepConfig adjusts them. */
export const QUEUE_POLICIES = Symbol('QueuePolicies');

export type QueuePolicies = Readonly<Record<QueueName, QueuePolicy>>;

/** A policy with what the operator set instead: zeros keep the policy's own. */
export const adjusted = (policy: QueuePolicy, { lockMs, concurrency }: StepConfig): QueuePolicy => ({
  ...policy,
  ...(concurrency === 0 ? {} : { concurrency }),
  // Steps of a worker that died come back after the lock, found by a check that runs six times as often.
  ...(lockMs === 0 ? {} : { lockDurationMs: lockMs, stalledIntervalMs: Math.max(20, Math.round(lockMs / 6)) }),
});
