export { DeadSteps } from './dead-steps';
export { LookedAtQueues, queueCalled } from './looked-at-queues';
export { readStepDrop, readStepRetry } from './read-dead-steps';
