import { isEnded, type SessionHead, type StepResult } from '@fleet/contracts';
import type { SessionFolderPort, SessionStore, Transition } from '@fleet/ports';

/** Moves a session on: the record first, then the wake-up, and its file when it has ended here. */
export class SessionMover {
  constructor(
    private readonly store: SessionStore,
    private readonly folder: SessionFolderPort,
    private readonly wake: (head: SessionHead) => Promise<void>,
  ) {}

  async move(transition: Transition): Promise<StepResult> {
    const result = await this.store.advance(transition);
    if (!result.applied) return { outcome: 'stale' };
    if (isEnded(result.head.status)) await this.keep(result.head.id);
    else if (transition.wakeNow !== false) await this.wake(result.head);
    return { outcome: 'advanced' };
  }

  /** Writes `session.json` of a session that ended. Repeated by a retried step, for the record moved before the file. */
  async keep(sessionId: string): Promise<void> {
    const session = await this.store.load(sessionId);
    if (session !== undefined) await this.folder.writeSession(session);
  }
}
