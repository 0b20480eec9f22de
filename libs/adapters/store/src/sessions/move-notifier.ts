import { sql } from 'kysely';
import type { Database } from '../database';

/** Milliseconds between two polls for moves, while this process has waiters. */
const lookMs = 100;

/** A waiting caller. */
interface Waiter {
  /** Undefined: for a move of any session. */
  readonly session: string | undefined;
  readonly wake: () => void;
}

/**
 * Notifies waiters in this process of moves. One poll per 100 ms serves all of them. A notification only saves time:
 * the numbers of the moves decide.
 */
export class MoveNotifier {
  private readonly waiting = new Set<Waiter>();
  private timer: NodeJS.Timeout | undefined;
  /** Transactions below this one had ended before the last poll, and their moves were reported. */
  private seen: string | undefined;
  private isClosed = false;

  constructor(private readonly db: Database) {}

  /** A move was made in this process. */
  tell(session: string): void {
    for (const { session: about, wake } of [...this.waiting]) if (about === undefined || about === session) wake();
  }

  /** Ends all waits. */
  close(): void {
    this.isClosed = true;
    this.wakeAll();
  }

  /** Queries until there is a result or the time is over; returns the last result. */
  async until<T>(
    session: string | undefined,
    look: () => Promise<T>,
    isEnough: (found: T) => boolean,
    waitMs: number,
  ): Promise<T> {
    const until = performance.now() + waitMs;
    for (;;) {
      const stir = this.nextStir(session);
      try {
        const found = await look();
        const left = until - performance.now();
        if (isEnough(found) || left <= 0 || this.isClosed) return found;
        await stir.happened(left);
      } finally {
        stir.forget();
      }
    }
  }

  /** The next move from now on. */
  private nextStir(session: string | undefined): {
    readonly happened: (withinMs: number) => Promise<void>;
    readonly forget: () => void;
  } {
    let wake = (): void => undefined;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const waiter: Waiter = { session, wake };
    let timer: NodeJS.Timeout | undefined;
    this.waiting.add(waiter);
    this.timer ??= setTimeout(this.look, lookMs);
    return {
      happened: (withinMs) => {
        timer = setTimeout(wake, withinMs);
        return woken;
      },
      forget: () => {
        clearTimeout(timer);
        this.waiting.delete(waiter);
      },
    };
  }

  private wakeAll(): void {
    for (const { wake } of [...this.waiting]) wake();
  }

  private readonly look = (): void => {
    this.find()
      // After its timeout the waiter queries itself, and gets the database's error.
      .catch(() => undefined)
      .finally(() => {
        this.timer = this.waiting.size === 0 || this.isClosed ? undefined : setTimeout(this.look, lookMs);
        if (this.timer === undefined) this.seen = undefined;
      });
  };

  /**
   * Wakes the waiters whose sessions have moved since the last poll; the first poll wakes all, because earlier moves
   * are unknown.
   */
  private async find(): Promise<void> {
    const { seen } = this;
    const { rows } = await sql<{ open: string; moved: readonly string[] }>`
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS open,
        ARRAY(SELECT DISTINCT session FROM moves WHERE told AND transaction >= ${seen ?? null}::xid8) AS moved`.execute(
      this.db,
    );
    if (seen === undefined) this.wakeAll();
    for (const { open, moved } of rows) {
      this.seen = open;
      for (const session of moved) this.tell(session);
    }
  }
}
