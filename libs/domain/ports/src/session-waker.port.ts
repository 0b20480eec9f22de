import type { SessionHead } from '@fleet/contracts/sessions';

export const SESSION_WAKER = Symbol('SessionWaker');

/** Puts a session's next step into its queue. Never throws for an unreachable queue: the sweeper does it later. */
export interface SessionWaker {
  wake(head: SessionHead): Promise<void>;
}
