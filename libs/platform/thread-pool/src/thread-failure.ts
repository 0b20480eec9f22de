const sentences = {
  full: 'too many tasks are waiting',
  waited: 'no thread was ready in time',
  stuck: 'threads that were stopped are not gone: the disk does not answer',
  closed: 'the pool was closed',
  time: 'the task took too long and its thread was ended',
  held: 'the thread got no time of a processor, or waited for the disk, and was ended',
  memory: 'the task needed too much memory and its thread was ended',
  ended: 'the thread ended by itself',
  failed: 'the task failed',
} as const;

/**
 * Why there is no answer. The task was not begun: `full`, `waited` (no thread was free, or it did not start in time), `stuck`, `closed` (this one also during the task). It cost its thread:
 * `time`, `held` (the machine or the disk kept it from working, which is no fault of the task), `memory`, `ended` (by itself, or it broke while it
 * started). It was answered with an error, which is the cause: `failed`.
 */
export type FailureReason = keyof typeof sentences;

/** A task without an answer; callers say in their own words what that means. */
export class ThreadFailure extends Error {
  constructor(
    readonly reason: FailureReason,
    options?: ErrorOptions,
  ) {
    super(sentences[reason], options);
    this.name = 'ThreadFailure';
  }
}
