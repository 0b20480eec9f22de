import type { SessionEvent, StoredEvent } from '@fleet/contracts/sessions';
import { isAfter, parseEventId, type SessionEvents } from '@fleet/ports';
import { reachingStore, type StoreContext } from '../database';
import type { MoveNotifier } from './move-notifier';

/** Maximum events returned by one wait. */
const mostAtOnce = 1000;

/** Events of a move with their ids: the number of the move, and the index within it. */
export const storedEvents = (number: string, events: readonly SessionEvent[]): readonly StoredEvent[] =>
  events.map((event, index) => ({ ...event, id: `${number}-${String(index)}` }));

export class PostgresSessionEvents implements SessionEvents {
  constructor(
    private readonly context: StoreContext,
    private readonly notifier: MoveNotifier,
  ) {}

  async after(id: string, afterId: string, limit: number): Promise<readonly StoredEvent[]> {
    const after = parseEventId(afterId);
    const [number = '0'] = after.split('-');
    // A session's moves are serialised by the lock of its row.
    const moves = await reachingStore(() =>
      this.context.db
        .selectFrom('moves')
        .select(['number', 'events'])
        .where('session', '=', id)
        .where('told', '=', true)
        .where('number', '>=', number)
        .orderBy('number')
        .limit(limit + 1)
        .execute(),
    );
    const events = moves.flatMap((move) => storedEvents(move.number, move.events));
    return events.filter((event) => isAfter(event.id, after)).slice(0, limit);
  }

  async waitAfter(id: string, afterId: string, waitMs: number): Promise<readonly StoredEvent[]> {
    return this.notifier.until(
      id,
      () => this.after(id, afterId, mostAtOnce),
      (events) => events.length > 0,
      waitMs,
    );
  }

  transitions(id: string): Promise<readonly string[]> {
    return reachingStore(async () => {
      const moves = await this.context.db
        .selectFrom('moves')
        .select('line')
        .where('session', '=', id)
        .where('line', 'is not', null)
        .orderBy('number')
        .execute();
      return moves.flatMap(({ line }) => line ?? []);
    });
  }
}
