import type { TaskFailure } from './task-failure';

/** What a thread or process says; it has to survive a structured clone, and an Error would lose its own fields on the way. */
export type PoolMessage<Answer> =
  /** Once, when it can take tasks. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'error'; readonly message: string; readonly stack: string };

/** What ends a task: all but the first. */
export type PoolReply<Answer> = Exclude<PoolMessage<Answer>, { readonly kind: 'ready' }>;

/** What a pool receives from one of its workers. */
export interface PoolEvents<Answer> {
  readonly onReady: () => void;
  readonly onReply: (reply: PoolReply<Answer>) => void;
  /** Once, and nothing comes after it. Never after `stop`. */
  readonly onEnd: (failure: TaskFailure) => void;
}
