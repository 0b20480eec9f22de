import { Inject, Injectable } from '@nestjs/common';
import type { SessionUpdate, WallUpdate } from '@fleet/contracts/sessions';
import { SESSION_FEED, SESSION_INDEX, type FeedPage, type SessionFeed, type SessionIndex } from '@fleet/ports';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';

/** A move of a session, read and serialised once for all clients. */
interface UpdateEntry {
  /** Its cursor. */
  readonly id: string;
  readonly update: SessionUpdate;
  /** As a message of a stream. */
  readonly message: string;
}

/** A move as a message of a stream. */
export const updateFrame = (id: string, update: SessionUpdate | WallUpdate): string =>
  `id: ${id}\ndata: ${JSON.stringify(update)}\n\n`;

/** The moves after a cursor of the feed. */
export interface UpdatePage {
  readonly updates: readonly UpdateEntry[];
  /** Earlier moves were deleted: the page is empty, and `last` is the cursor to continue from. */
  readonly missed: boolean;
  /** The cursor of the last processed move. */
  readonly last: string;
}

/**
 * Milliseconds for which a page is cached for other clients at the same cursor: after the loss of a gateway, all of its
 * clients are.
 */
const retentionMs = 1_000;
/** Maximum cached pages. */
const pagesKept = 32;

/** The feed of all sessions, page by page. Clients at the same cursor share a page: thousands of them cost one wait. */
@Injectable()
export class UpdatePages {
  private readonly pages = new Map<string, Promise<UpdatePage>>();

  constructor(
    @Inject(SESSION_FEED) private readonly feed: SessionFeed,
    @Inject(SESSION_INDEX) private readonly index: SessionIndex,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  /** The cursor after all moves so far. */
  async newest(): Promise<string> {
    return (await this.feed.after('0', 1)).newest;
  }

  /** The available moves after a cursor. */
  async now(cursor: string): Promise<UpdatePage> {
    return this.pageOf(cursor, await this.feed.after(cursor, this.options.eventBatch));
  }

  /** The next page after a cursor; empty after a timeout. */
  next(cursor: string): Promise<UpdatePage> {
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

  private async wait(cursor: string): Promise<UpdatePage> {
    const { eventBatch, heartbeatMs } = this.options;
    return this.pageOf(cursor, await this.feed.waitAfter(cursor, eventBatch, heartbeatMs));
  }

  /**
   * The rows are read after the moves, so that each is at least as new as its move. A session with an unreadable record
   * is left out, as in lists.
   */
  private async pageOf(cursor: string, { entries, missed, newest }: FeedPage): Promise<UpdatePage> {
    const ids = [...new Set(entries.map(({ sessionId }) => sessionId))];
    const rows = await this.index.rows(ids);
    const rowOf = new Map(ids.map((id, index) => [id, rows[index]]));
    const updates = entries.flatMap(({ id, sessionId, was, events }): readonly UpdateEntry[] => {
      const session = rowOf.get(sessionId);
      if (session === undefined) return [];
      const update = { session, events, ...(was !== undefined && { was }) };
      return [{ id, update, message: updateFrame(id, update) }];
    });
    return { updates, missed, last: missed ? newest : (entries.at(-1)?.id ?? cursor) };
  }
}
