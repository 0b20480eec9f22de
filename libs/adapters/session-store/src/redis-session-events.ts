import type { SessionEvent, StoredEvent } from '@fleet/contracts';
import type { SessionEvents } from '@fleet/ports';
import { parseEventId } from './event-id';
import type { EventNews } from './event-news';
import { reachingRedis } from './reaching-redis';
import type { RedisContext } from './redis-context';

/** Events given to one reader at once. */
const EVENTS_AT_ONCE = 1000;

/** A stream of events and a list of transitions for each session. */
export class RedisSessionEvents implements SessionEvents {
  constructor(
    private readonly at: RedisContext,
    private readonly news: EventNews,
  ) {}

  async after(id: string, afterId: string, limit: number): Promise<readonly StoredEvent[]> {
    const { redis, keys } = this.at;
    const after = parseEventId(afterId);
    return reachingRedis(redis, async () => {
      const entries = await redis.xrange(keys.events(id), `(${after}`, '+', 'COUNT', limit);
      return entries.map(([eventId, [, text = '{}']]) => ({ ...(JSON.parse(text) as SessionEvent), id: eventId }));
    });
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

  transitions(id: string): Promise<readonly string[]> {
    const { redis, keys } = this.at;
    return reachingRedis(redis, () => redis.lrange(keys.transitions(id), 0, -1));
  }
}
