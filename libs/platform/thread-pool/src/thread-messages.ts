/** What a thread says; it has to survive a structured clone, and an Error would lose its own fields on the way. */
export type ThreadMessage<Answer> =
  /** Once, when it can take tasks. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'error'; readonly message: string; readonly stack: string };

/** What ends a task: all but the first. */
export type ThreadReply<Answer> = Exclude<ThreadMessage<Answer>, { readonly kind: 'ready' }>;
