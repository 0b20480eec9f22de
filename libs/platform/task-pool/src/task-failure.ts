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
 * Why there is no answer. Not begun: `full`, `waited` (no worker was free, or none started in time), `stuck`, `closed`
 * (also during the task). It cost its worker: `time`, `held` (the machine or the disk was too slow, not the task),
 * `memory`, `ended` (by itself, or it failed to start). It ended with an error, which is the cause: `failed`.
 */
export type FailureReason = keyof typeof sentences;

/** A task without an answer; callers translate it into their own terms. */
export class TaskFailure extends Error {
  constructor(
    readonly reason: FailureReason,
    options?: ErrorOptions,
  ) {
    super(sentences[reason], options);
    this.name = 'TaskFailure';
  }
}
