import type { TaskFailure } from './task-failure';

/**
 * A message of a thread or process. It must survive a structured clone, in which an Error would lose its own fields.
 */
export type PoolMessage<Answer> =
  /** Once, when it can accept tasks. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'error'; readonly message: string; readonly stack: string };

/** The messages that end a task: all but the first. */
export type PoolReply<Answer> = Exclude<PoolMessage<Answer>, { readonly kind: 'ready' }>;

/** What a pool receives from one of its workers. */
export interface PoolEvents<Answer> {
  readonly onReady: () => void;
  readonly onReply: (reply: PoolReply<Answer>) => void;
  /** Once, as the last event. Never after `stop`. */
  readonly onEnd: (failure: TaskFailure) => void;
}
