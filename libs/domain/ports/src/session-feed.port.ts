import type { SessionStatus, StoredEvent } from '@fleet/contracts/sessions';

export const SESSION_FEED = Symbol('SessionFeed');

/** What one move of a session had to tell. */
export interface FeedEntry {
  /** Its place among the moves of all sessions. */
  readonly id: string;
  readonly sessionId: string;
  /** What the session was before; absent: it is new. */
  readonly was?: SessionStatus;
  /** As the session's own stream has them; none where this release cannot read them. */
  readonly events: readonly StoredEvent[];
}

/** A part of the feed. */
export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /**
   * Something after the place that was asked for may be deleted: it is older than what is kept, or a place in a feed that was lost
   * with its database. Then there are no entries.
   */
  readonly missed: boolean;
  /** The place of the last move of all; `0-0` where there was none yet. */
  readonly newest: string;
}

/** What happens to all sessions, in one order: written with each move of `SessionRecords`, and kept for a while. */
export interface SessionFeed {
  /** Moves after a place, oldest first, `limit` at most. @throws Fault `event.bad_id` (caller) */
  after(place: string, limit: number): Promise<FeedPage>;
  /** As `after`, but waits up to `waitMs` for the first one. */
  waitAfter(place: string, limit: number, waitMs: number): Promise<FeedPage>;
}
