import { isEnded, type SessionHead, type StepResult } from '@fleet/contracts';
import type { SessionStore, Transition } from '@fleet/ports';
import type { SessionKeeper } from '@fleet/recovery';

/** Moves a session on: the record first, then the wake-up, and its files when it has ended here. */
export class SessionMover {
  constructor(
    private readonly store: SessionStore,
    private readonly keeper: Pick<SessionKeeper, 'keep'>,
    private readonly wake: (head: SessionHead) => Promise<void>,
  ) {}

  async move(transition: Transition): Promise<StepResult> {
    const result = await this.store.advance(transition);
    if (!result.applied) return { outcome: 'stale' };
    if (isEnded(result.head.status)) await this.keep(result.head.id);
    else if (transition.wakeNow !== false) await this.wake(result.head);
    return { outcome: 'advanced' };
  }

  /** Writes the files of a session that ended. Repeated by a retried step, for the record moved before the files. */
  keep(sessionId: string): Promise<void> {
    return this.keeper.keep(sessionId);
  }
}
