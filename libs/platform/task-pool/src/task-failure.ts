const sentences = {
  full: 'too many tasks are waiting',
  waited: 'no worker was ready in time',
  stuck: 'workers that were stopped are not gone: the disk does not answer',
  closed: 'the pool was closed',
  time: 'the task took too long and its worker was ended',
  held: 'the worker got no time of a processor, or waited for the disk, and was ended',
  memory: 'the task needed too much memory and its worker was ended',
  ended: 'the worker ended by itself',
  failed: 'the task failed',
} as const;

/**
 * Why there is no answer. The task was not begun: `full`, `waited` (no worker was free, or it did not start in time), `stuck`, `closed` (this one also during the task). It cost its worker:
 * `time`, `held` (the machine or the disk kept it from working, which is no fault of the task), `memory`, `ended` (by itself, or it broke while it
 * started). It was answered with an error, which is the cause: `failed`.
 */
export type FailureReason = keyof typeof sentences;

/** A task without an answer; callers say in their own words what that means. */
export class TaskFailure extends Error {
  constructor(
    readonly reason: FailureReason,
    options?: ErrorOptions,
  ) {
    super(sentences[reason], options);
    this.name = 'TaskFailure';
  }
}
