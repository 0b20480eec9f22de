import type { StoredEvent } from '@fleet/contracts/sessions';
import { isAfter, parseEventId, type SessionEvents } from '@fleet/ports';
import type { MemoryState } from './memory-state';

export class MemorySessionEvents implements SessionEvents {
  constructor(private readonly state: MemoryState) {}

  async after(id: string, afterId: string, limit: number): Promise<readonly StoredEvent[]> {
    const after = parseEventId(afterId);
    const stored = this.state.sessions.get(id)?.events ?? [];
    return Promise.resolve(stored.filter((event) => isAfter(event.id, after)).slice(0, limit));
  }

  async waitAfter(id: string, afterId: string, waitMs: number): Promise<readonly StoredEvent[]> {
    const limit = 1000;
    const there = await this.after(id, afterId, limit);
    if (there.length > 0) return there;
    const until = Date.now() + waitMs;
    for (let left = waitMs; left > 0; left = until - Date.now()) {
      await this.state.somethingHappens(left);
      const arrived = await this.after(id, afterId, limit);
      if (arrived.length > 0) return arrived;
    }
    return [];
  }

  transitions(id: string): Promise<readonly string[]> {
    return Promise.resolve([...(this.state.sessions.get(id)?.transitions ?? [])]);
  }
}
