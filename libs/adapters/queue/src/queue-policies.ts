import type { StepConfig } from '@fleet/config';
import type { QueueName, QueuePolicy } from '@fleet/contracts/queues';

/** The effective policies: `queuePolicies` of the contracts with the overrides of StepConfig. */
export const QUEUE_POLICIES = Symbol('QueuePolicies');

export type QueuePolicies = Readonly<Record<QueueName, QueuePolicy>>;

/** A policy with the operator's overrides; zero keeps the policy's own value. */
export const adjusted = (policy: QueuePolicy, { lockMs, concurrency }: StepConfig): QueuePolicy => ({
  ...policy,
  ...(concurrency === 0 ? {} : { concurrency }),
  // Steps of a dead worker return after the lock expires, found by a check that runs six times as often.
  ...(lockMs === 0 ? {} : { lockDurationMs: lockMs, stalledIntervalMs: Math.max(20, Math.round(lockMs / 6)) }),
});
