export { DeadSteps } from './dead-steps';
export { QueueContents, queueCalled } from './queue-contents';
export { readStepDrop, readStepRetry } from './read-dead-steps';
