import { sql } from 'kysely';
import { isAfter, parseEventId, type FeedPage, type SessionFeed } from '@fleet/ports';
import { reachingStore, type StoreContext } from '../database';
import type { MoveNotifier } from './move-notifier';
import { storedEvents } from './postgres-session-events';

/**
 * Transactions older than every open one: no further move can appear among theirs. Move numbers alone do not guarantee
 * that, because they are assigned before a transaction ends.
 */
const settled = sql<boolean>`transaction < pg_snapshot_xmin(pg_current_snapshot())`;

/** The moves of all sessions, in the order of their transactions. A cursor is a transaction and a move number. */
export class PostgresSessionFeed implements SessionFeed {
  constructor(
    private readonly context: StoreContext,
    private readonly notifier: MoveNotifier,
  ) {}

  async after(place: string, limit: number): Promise<FeedPage> {
    const from = parseEventId(place);
    const [transaction = '0', number = '0'] = from.split('-');
    return reachingStore(async () => {
      const { db } = this.context;
      const reported = db.selectFrom('moves').where('told', '=', true).where(settled);
      const last = await reported
        .select(['transaction', 'number'])
        .orderBy('transaction', 'desc')
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirst();
      const newest = last === undefined ? '0-0' : `${last.transaction}-${last.number}`;
      if (isAfter(from, newest)) return { entries: [], missed: true, newest };
      const moves = await reported
        .select(['transaction', 'number', 'session', 'was', 'events'])
        .where(sql<boolean>`(transaction, number) > (${transaction}::xid8, ${number}::bigint)`)
        .orderBy('transaction')
        .orderBy('number')
        .limit(limit)
        .execute();
      const entries = moves.map((move) => ({
        id: `${move.transaction}-${move.number}`,
        sessionId: move.session,
        ...(move.was !== null && { was: move.was }),
        events: storedEvents(move.number, move.events),
      }));
      // Another move may have come between the two queries.
      const end = entries.at(-1)?.id ?? newest;
      return { entries, missed: false, newest: isAfter(end, newest) ? end : newest };
    });
  }

  waitAfter(place: string, limit: number, waitMs: number): Promise<FeedPage> {
    return this.notifier.until(
      undefined,
      () => this.after(place, limit),
      ({ missed, entries }) => missed || entries.length > 0,
      waitMs,
    );
  }
}
