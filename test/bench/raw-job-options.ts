import { queuePolicies, type QueueName } from '@fleet/contracts/queues';
import type { JobsOptions } from 'bullmq';

/** The queue policy as the bare library takes it: both contestants retry and clean up alike. */
export const rawJobOptions = (queue: QueueName): JobsOptions => {
  const { attempts, backoff, removeOnComplete, keepFailed } = queuePolicies[queue];
  return {
    attempts,
    backoff: { type: backoff.type, delay: backoff.delayMs, jitter: backoff.jitter },
    removeOnComplete,
    removeOnFail: { count: keepFailed },
    stackTraceLimit: 3,
  };
};
