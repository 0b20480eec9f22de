import {
  systemClock,
  type BatchRecords,
  type Clock,
  type Deliveries,
  type ProgramCatalogues,
  type SessionArchive,
  type SessionEvents,
  type SessionFeed,
  type SessionIndex,
  type SessionRecords,
  type StepSchedule,
} from '@fleet/ports';
import type { Redis } from 'ioredis';
import { RedisSessionArchive } from './archive/redis-session-archive';
import { RedisBatchRecords } from './batches/redis-batch-records';
import { ClaimedHeads } from './claimed-heads';
import { EventNews } from './event-news';
import { IndexFiling } from './filing/index-filing';
import { keysOf } from './keys';
import { ReadableRecords } from './readable-records';
import type { RedisContext } from './redis-context';
import { RedisProgramCatalogues } from './redis-program-catalogues';
import { RedisSessionEvents } from './redis-session-events';
import { RedisSessionFeed } from './redis-session-feed';
import { RedisSessionIndex } from './redis-session-index';
import { RedisSessionRecords } from './redis-session-records';
import { RedisStepSchedule } from './redis-step-schedule';
import { RedisDeliveries } from './webhooks/redis-deliveries';
import { RedisWebhooks } from './webhooks/redis-webhooks';

/** The ports of one store in Redis, over one connection. Every write is one script; every read is one round trip, but `list`. */
export class RedisStore {
  readonly records: SessionRecords;
  readonly schedule: StepSchedule;
  readonly events: SessionEvents;
  readonly feed: SessionFeed;
  readonly index: SessionIndex;
  readonly catalogues: ProgramCatalogues;
  readonly archive: SessionArchive;
  readonly batches: BatchRecords;
  readonly deliveries: Deliveries;
  /** Those of Redis alone; `StoredWebhooks` keeps them. */
  readonly webhooks: RedisWebhooks;
  readonly filing: IndexFiling;
  private readonly news: EventNews;

  /** @param deadlines tells deadlines and ages of wake-ups; all machines at this Redis share it (see RedisClock) */
  constructor(redis: Redis, prefix: string, clock: Clock = systemClock, deadlines: Clock = clock) {
    const context: RedisContext = { redis, prefix, keys: keysOf(prefix), clock, deadlines };
    const readable = new ReadableRecords(redis, context.keys);
    this.news = new EventNews(redis);
    this.records = new RedisSessionRecords(context);
    const heads = new ClaimedHeads(context, readable);
    this.schedule = new RedisStepSchedule(context, heads);
    this.archive = new RedisSessionArchive(context, heads);
    this.events = new RedisSessionEvents(context, this.news);
    this.feed = new RedisSessionFeed(context, this.news);
    this.index = new RedisSessionIndex(context, readable);
    this.batches = new RedisBatchRecords(context);
    this.deliveries = new RedisDeliveries(context);
    this.webhooks = new RedisWebhooks(context);
    this.filing = new IndexFiling(context, readable);
    this.catalogues = new RedisProgramCatalogues(context);
  }

  /** Ends the connection on which events are announced; the other one belongs to who made it. */
  close(): void {
    this.news.close();
  }
}
