import type { StoredEvent } from '@fleet/contracts/sessions';
import type { SessionEvents } from '@fleet/ports';

/**
 * Waits for new events of sessions. Clients at the same event share a wait: a thousand viewers of a session cost one.
 */
export class EventTails {
  private readonly waits = new Map<string, Promise<readonly StoredEvent[]>>();

  constructor(
    private readonly events: SessionEvents,
    /** Timeout of a wait, in milliseconds. */
    private readonly waitMs: number,
  ) {}

  /** Events after `afterId`; empty after a timeout. */
  next(sessionId: string, afterId: string): Promise<readonly StoredEvent[]> {
    const key = `${sessionId} ${afterId}`;
    const shared = this.waits.get(key);
    if (shared !== undefined) return shared;
    const wait = this.events.waitAfter(sessionId, afterId, this.waitMs).finally(() => this.waits.delete(key));
    this.waits.set(key, wait);
    return wait;
  }
}
