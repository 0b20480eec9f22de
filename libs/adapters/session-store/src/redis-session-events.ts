import type { StoredEvent } from '@fleet/contracts';
import { isAfter, parseEventId, type SessionEvents, type SessionHistory } from '@fleet/ports';
import type { EventNews } from './event-news';
import { happenedIn } from './packing/cycle-page';
import { batchOf, storedEvents, type StreamEntry } from './packing/event-batch';
import { reachingRedis } from './reaching-redis';
import type { RedisContext } from './redis-context';
import { pagedField, readable, storedCycles, type StoredFields } from './session-fields';
import { together } from './together';

/** Events given to one reader at once. */
const EVENTS_AT_ONCE = 1000;

/**
 * What happened to each session: a stream of events and a list of moves since its last cycle ended, and what was before that in the pages
 * of its cycles.
 */
export class RedisSessionEvents implements SessionEvents {
  constructor(
    private readonly at: RedisContext,
    private readonly news: EventNews,
  ) {}

  async after(id: string, afterId: string, limit: number): Promise<readonly StoredEvent[]> {
    const { redis, keys } = this.at;
    const after = parseEventId(afterId);
    // In this order: what leaves the stream for a page meanwhile is seen in the second answer.
    const [entries, paged] = await reachingRedis(redis, () =>
      together<[StreamEntry[], string | null]>(
        redis
          .pipeline()
          .xrangeBuffer(keys.events(id), `(${after}`, '+', 'COUNT', limit)
          .hget(keys.session(id), pagedField),
      ),
    );
    const events =
      paged !== null && isAfter(paged, after)
        ? (await this.history(id)).events
        : readable(id, 'events', () => entries.map(batchOf).flatMap(storedEvents));
    return events.filter((event) => isAfter(event.id, after)).slice(0, limit);
  }

  async waitAfter(id: string, afterId: string, waitMs: number): Promise<readonly StoredEvent[]> {
    const { redis, keys } = this.at;
    const there = await this.after(id, afterId, EVENTS_AT_ONCE);
    if (there.length > 0) return there;
    const arrived = await reachingRedis(redis, () =>
      this.news.until(keys.news(id), waitMs, async () => {
        const found = await this.after(id, afterId, EVENTS_AT_ONCE);
        return found.length > 0 ? found : undefined;
      }),
    );
    return arrived ?? [];
  }

  async transitions(id: string): Promise<readonly string[]> {
    return (await this.history(id)).transitions;
  }

  private async history(id: string): Promise<SessionHistory> {
    return historyOf(id, await storedHistory(this.at, id));
  }
}

/** A session's hash, stream and list, as they were at one moment. */
type StoredHistory = [fields: StoredFields, entries: readonly StreamEntry[], transitions: readonly string[]];

export const storedHistory = ({ redis, keys }: RedisContext, id: string): Promise<StoredHistory> =>
  reachingRedis(redis, () =>
    together<StoredHistory>(
      redis
        .multi()
        .hgetallBuffer(keys.session(id))
        .xrangeBuffer(keys.events(id), '-', '+')
        .lrange(keys.transitions(id), 0, -1),
    ),
  );

/** @throws Fault `session.damaged` (bug) */
export const historyOf = (id: string, [fields, entries, transitions]: StoredHistory): SessionHistory =>
  readable(id, 'what happened', () => {
    const pages = storedCycles(fields).map(happenedIn);
    const batches = [...pages.flatMap((page) => page.batches), ...entries.map(batchOf)];
    return {
      events: batches.flatMap(storedEvents),
      transitions: [...pages.flatMap((page) => page.transitions), ...transitions],
    };
  });
