import type { SessionStatus, StoredEvent } from '@fleet/contracts/sessions';

export const SESSION_FEED = Symbol('SessionFeed');

/** One transition of a session in the feed. */
interface FeedEntry {
  /** Its cursor in the feed of all sessions. */
  readonly id: string;
  readonly sessionId: string;
  /** The status before; absent: the session is new. */
  readonly was?: SessionStatus;
  /** As in the session's own stream; empty if this release cannot read them. */
  readonly events: readonly StoredEvent[];
}

/** A page of the feed. */
export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /**
   * Entries after the given cursor may be deleted: it is older than the retention, or belongs to a feed that was lost with its database. Then
   * there are no entries.
   */
  readonly missed: boolean;
  /** The cursor of the latest transition; `0-0` for an empty feed. */
  readonly newest: string;
}

/** The transitions of all sessions, in one order: written with each transition of `SessionRecords`, and stored for a while. */
export interface SessionFeed {
  /** Transitions after a cursor, oldest first, `limit` at most. @throws Fault `event.bad_id` (caller) */
  after(place: string, limit: number): Promise<FeedPage>;
  /** As `after`, but waits up to `waitMs` for the first one. */
  waitAfter(place: string, limit: number, waitMs: number): Promise<FeedPage>;
}
