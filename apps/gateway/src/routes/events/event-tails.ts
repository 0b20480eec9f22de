import type { StoredEvent } from '@fleet/contracts/sessions';
import type { SessionEvents } from '@fleet/ports';

/** Waits for news of sessions. Clients that have seen the same events wait together: a thousand viewers of a session cost one wait. */
export class EventTails {
  private readonly waits = new Map<string, Promise<readonly StoredEvent[]>>();

  constructor(
    private readonly events: SessionEvents,
    /** Milliseconds after which a wait ends without news. */
    private readonly waitMs: number,
  ) {}

  /** Events after `afterId`; empty when there was no news in time. */
  next(sessionId: string, afterId: string): Promise<readonly StoredEvent[]> {
    const key = `${sessionId} ${afterId}`;
    const shared = this.waits.get(key);
    if (shared !== undefined) return shared;
    const wait = this.events.waitAfter(sessionId, afterId, this.waitMs).finally(() => this.waits.delete(key));
    this.waits.set(key, wait);
    return wait;
  }
}
