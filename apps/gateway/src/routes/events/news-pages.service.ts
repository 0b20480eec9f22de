import { Inject, Injectable } from '@nestjs/common';
import type { SessionUpdate, WallUpdate } from '@fleet/contracts/sessions';
import { SESSION_FEED, SESSION_INDEX, type FeedPage, type SessionFeed, type SessionIndex } from '@fleet/ports';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';

/** A move of a session, read and written once for all who hear of it. */
interface UpdateEntry {
  /** Its place. */
  readonly id: string;
  readonly news: SessionUpdate;
  /** As a message of a stream. */
  readonly message: string;
}

/** A move as a message of a stream. */
export const newsFrame = (id: string, news: SessionUpdate | WallUpdate): string =>
  `id: ${id}\ndata: ${JSON.stringify(news)}\n\n`;

/** What happened after a place in the feed. */
export interface NewsPage {
  readonly updates: readonly UpdateEntry[];
  /** Something before is deleted: there is nothing told, and `last` is the place to continue from. */
  readonly missed: boolean;
  /** The place of the last move that was looked at. */
  readonly last: string;
}

/** Milliseconds for which a page is kept for others who come from the same place: after a gateway was lost, all of its clients do. */
const retentionMs = 1_000;
/** Pages that are kept at most. */
const pagesKept = 32;

/** The feed of all sessions, page by page. Clients at the same place wait for the same page: thousands of them cost one wait. */
@Injectable()
export class NewsPages {
  private readonly pages = new Map<string, Promise<NewsPage>>();

  constructor(
    @Inject(SESSION_FEED) private readonly feed: SessionFeed,
    @Inject(SESSION_INDEX) private readonly index: SessionIndex,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  /** The place after all that has happened until now. */
  async newest(): Promise<string> {
    return (await this.feed.after('0', 1)).newest;
  }

  /** What is there now, after a place. */
  async now(cursor: string): Promise<NewsPage> {
    return this.pageOf(cursor, await this.feed.after(cursor, this.options.eventBatch));
  }

  /** The next page after a place; one without news when nothing happened for a while. */
  next(cursor: string): Promise<NewsPage> {
    const shared = this.pages.get(cursor);
    if (shared !== undefined) return shared;
    const page = this.wait(cursor);
    this.pages.set(cursor, page);
    const forget = (): void => {
      if (this.pages.get(cursor) === page) this.pages.delete(cursor);
    };
    void page.then(({ updates }) => {
      if (updates.length === 0 || this.pages.size > pagesKept) forget();
      else setTimeout(forget, retentionMs).unref();
    }, forget);
    return page;
  }

  private async wait(cursor: string): Promise<NewsPage> {
    const { eventBatch, heartbeatMs } = this.options;
    return this.pageOf(cursor, await this.feed.waitAfter(cursor, eventBatch, heartbeatMs));
  }

  /** The rows are read after the moves, so that each is at least as new as its move. A session whose record cannot be read is left out, as in lists. */
  private async pageOf(cursor: string, { entries, missed, newest }: FeedPage): Promise<NewsPage> {
    const ids = [...new Set(entries.map(({ sessionId }) => sessionId))];
    const rows = await this.index.rows(ids);
    const rowOf = new Map(ids.map((id, index) => [id, rows[index]]));
    const updates = entries.flatMap(({ id, sessionId, was, events }): readonly UpdateEntry[] => {
      const session = rowOf.get(sessionId);
      if (session === undefined) return [];
      const news = { session, events, ...(was !== undefined && { was }) };
      return [{ id, news, message: newsFrame(id, news) }];
    });
    return { updates, missed, last: missed ? newest : (entries.at(-1)?.id ?? cursor) };
  }
}
