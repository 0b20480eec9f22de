import { sql } from 'kysely';
import { systemClock, type Clock } from '@fleet/ports';
import { reachingStore, type Database } from './database';

/**
 * Interval between measurements of the database's time, in milliseconds: clocks drift by less than a second per day.
 */
const everyMs = 60_000;

/** A slower response is too inaccurate, in milliseconds. */
const slowestMs = 250;

/** Milliseconds since the epoch, by the database's clock. */
export const timeOfDatabase = async (db: Database): Promise<number> => {
  const time = sql<number>`extract(epoch FROM clock_timestamp())::float8 * 1000`;
  return (await db.selectNoFrom(time.as('ms')).executeTakeFirstOrThrow()).ms;
};

/**
 * The database's time, shared by all machines. Deadlines use it: by its own clock, a machine that is a minute ahead
 * would find every running session overdue at every sweep, and wake it each time.
 */
export class DatabaseClock implements Clock {
  private measured: { readonly databaseMs: number; readonly at: number } | undefined;
  private readonly timer: NodeJS.Timeout;

  /** @param elapsed milliseconds of a monotonic clock */
  constructor(
    private readonly db: Database,
    private readonly elapsed: () => number = () => performance.now(),
  ) {
    // Callers report an unreachable database; until then the last measurement is used.
    this.timer = setInterval(() => void this.measure().catch(() => undefined), everyMs).unref();
  }

  /** Milliseconds since the epoch; by the local clock before the first measurement. */
  now(): number {
    if (this.measured === undefined) return systemClock.now();
    return Math.round(this.measured.databaseMs + this.elapsed() - this.measured.at);
  }

  /** @throws Fault `store.unreachable` (transient) */
  async measure(): Promise<void> {
    const sent = this.elapsed();
    const databaseMs = await reachingStore(() => timeOfDatabase(this.db));
    const answered = this.elapsed();
    if (answered - sent > slowestMs && this.measured !== undefined) return;
    this.measured = { databaseMs, at: (sent + answered) / 2 };
  }

  close(): void {
    clearInterval(this.timer);
  }
}
