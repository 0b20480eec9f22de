import type { QueueName, QueuePolicy } from '@fleet/contracts';

/** The policies in force: `queuePolicies` of the contracts with the lock of StepConfig. */
export const QUEUE_POLICIES = Symbol('QueuePolicies');

export type QueuePolicies = Readonly<Record<QueueName, QueuePolicy>>;

/**
 * Steps of a worker that died come back after the lock, found by a check that runs six times as often.
 * @param lockMs milliseconds; 0 keeps the policy's own lock
 */
export const withLock = (policy: QueuePolicy, lockMs: number): QueuePolicy =>
  lockMs === 0
    ? policy
    : { ...policy, lockDurationMs: lockMs, stalledIntervalMs: Math.max(20, Math.round(lockMs / 6)) };
