import { Logger } from '@nestjs/common';
import { failureText, type SessionStatus, type StoredEvent } from '@fleet/contracts';
import { type FeedEntry, type FeedPage, isAfter, parseEventId, type SessionFeed } from '@fleet/ports';
import type { EventNews } from './event-news';
import { FEED_LENGTH } from './feed-length';
import { batchOf, storedEvents, type StreamEntry } from './packing/event-batch';
import { reachingRedis } from './reaching-redis';
import type { RedisContext } from './redis-context';
import { together } from './together';

/** What a look at the feed gives: moves after a place, the oldest and the newest that is kept, and how many are. */
type Look = [after: StreamEntry[], oldest: StreamEntry[], newest: StreamEntry[], length: number];

/** The moves of all sessions: one stream, bounded in length, into which the scripts of `RedisSessionRecords` write. */
export class RedisSessionFeed implements SessionFeed {
  private readonly logger = new Logger('SessionFeed');

  constructor(
    private readonly at: RedisContext,
    private readonly news: EventNews,
  ) {}

  async after(place: string, limit: number): Promise<FeedPage> {
    const from = parseEventId(place);
    const { redis, keys } = this.at;
    const [after, [oldest], [newest], length] = await reachingRedis(redis, () =>
      together<Look>(
        redis
          .multi()
          .xrangeBuffer(keys.feed, `(${from}`, '+', 'COUNT', limit)
          .xrangeBuffer(keys.feed, '-', '+', 'COUNT', 1)
          .xrevrangeBuffer(keys.feed, '+', '-', 'COUNT', 1)
          .xlen(keys.feed),
      ),
    );
    const span = { oldest: oldest?.[0].toString(), newest: newest?.[0].toString() ?? BEGINNING, length };
    const missed = isMissed(from, span);
    return { entries: missed ? [] : after.map((entry) => this.entryOf(entry)), missed, newest: span.newest };
  }

  async waitAfter(place: string, limit: number, waitMs: number): Promise<FeedPage> {
    const there = await this.after(place, limit);
    if (isNews(there)) return there;
    const arrived = await reachingRedis(this.at.redis, () =>
      this.news.until(this.at.keys.feed, waitMs, async () => {
        const found = await this.after(place, limit);
        return isNews(found) ? found : undefined;
      }),
    );
    return arrived ?? there;
  }

  /** Fields of an entry: `s` whose it is, `w` what that was, `l` the id of its last event, `e` its events. */
  private entryOf([id, fields]: StreamEntry): FeedEntry {
    const [, session = '', , was = '', , last = '', , events = Buffer.alloc(0)] = fields;
    return {
      id: id.toString(),
      sessionId: session.toString(),
      ...(was.length > 0 && { was: was.toString() as SessionStatus }),
      events: this.eventsOf(session.toString(), [Buffer.from(last), [Buffer.from('e'), events]]),
    };
  }

  /** One move that cannot be read, of a newer release perhaps, does not stand before all that come after it. */
  private eventsOf(sessionId: string, entry: StreamEntry): readonly StoredEvent[] {
    try {
      return storedEvents(batchOf(entry));
    } catch (error) {
      this.logger.warn({ message: 'the events of a move cannot be read', sessionId, reason: failureText(error) });
      return [];
    }
  }
}

/** The place before all moves. */
const BEGINNING = '0-0';

const isNews = ({ entries, missed }: FeedPage): boolean => missed || entries.length > 0;

/**
 * Whether moves after this place may be kept no more. Nothing was let go of a feed that is shorter than it may be; a place before the first
 * move of such a one, or after the last of any, is of another feed.
 */
const isMissed = (
  place: string,
  { oldest, newest, length }: { readonly oldest: string | undefined; readonly newest: string; readonly length: number },
): boolean => {
  if (isAfter(place, newest)) return true;
  if (place === BEGINNING) return length >= FEED_LENGTH;
  return oldest !== undefined && isAfter(oldest, place);
};
