import { type FeedPage, isAfter, parseEventId, type SessionFeed } from '@fleet/ports';
import type { MemoryState } from './memory-state';

/** The moves of all sessions, of which none is let go. */
export class MemorySessionFeed implements SessionFeed {
  constructor(private readonly state: MemoryState) {}

  async after(place: string, limit: number): Promise<FeedPage> {
    return Promise.resolve(this.look(place, limit));
  }

  async waitAfter(place: string, limit: number, waitMs: number): Promise<FeedPage> {
    const until = Date.now() + waitMs;
    for (;;) {
      const page = this.look(place, limit);
      const left = until - Date.now();
      if (page.missed || page.entries.length > 0 || left <= 0) return page;
      await this.state.somethingHappens(left);
    }
  }

  private look(place: string, limit: number): FeedPage {
    const from = parseEventId(place);
    const newest = this.state.feed.at(-1)?.id ?? '0-0';
    const missed = isAfter(from, newest);
    const entries = missed ? [] : this.state.feed.filter(({ id }) => isAfter(id, from)).slice(0, limit);
    return { entries, missed, newest };
  }
}
