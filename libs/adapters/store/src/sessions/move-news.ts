import { sql } from 'kysely';
import type { Database } from '../database';

/** Milliseconds between two looks for moves, of a process in which somebody waits for one. */
const lookMs = 100;

/** Somebody who waits. */
interface Waiter {
  /** Undefined: for a move of any session. */
  readonly session: string | undefined;
  readonly wake: () => void;
}

/**
 * Tells those in this process who wait for a move that there was one. However many wait, one look every 100 ms serves them; a notice is only an
 * accelerator, and the numbers of the moves are what counts.
 */
export class MoveNews {
  private readonly waiting = new Set<Waiter>();
  private timer: NodeJS.Timeout | undefined;
  /** Transactions below this one have ended before the last look, and their moves were told. */
  private seen: string | undefined;
  private isClosed = false;

  constructor(private readonly db: Database) {}

  /** A move was made in this process. */
  tell(session: string): void {
    for (const { session: about, wake } of [...this.waiting]) if (about === undefined || about === session) wake();
  }

  /** Nobody waits any longer. */
  close(): void {
    this.isClosed = true;
    this.wakeAll();
  }

  /** Looks until there is something, or the time is over; gives what was found last. */
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
      // Who waits looks for itself when its time is over, and is told there that the database is away.
      .catch(() => undefined)
      .finally(() => {
        this.timer = this.waiting.size === 0 || this.isClosed ? undefined : setTimeout(this.look, lookMs);
        if (this.timer === undefined) this.seen = undefined;
      });
  };

  /** Wakes those whose sessions have moved since the last look; at the first one everybody, because nothing is known of the time before it. */
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
