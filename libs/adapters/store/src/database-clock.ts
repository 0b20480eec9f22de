import { sql } from 'kysely';
import { systemClock, type Clock } from '@fleet/ports';
import { reachingStore, type Database } from './database';

/** How often the time of the database is measured, in milliseconds: clocks of machines drift by less than a second in a day. */
const everyMs = 60_000;

/** An answer that took longer says too little about when it was given, in milliseconds. */
const slowestMs = 250;

/** Milliseconds since the epoch, by the clock of the database. */
export const timeOfDatabase = async (db: Database): Promise<number> => {
  const time = sql<number>`extract(epoch FROM clock_timestamp())::float8 * 1000`;
  return (await db.selectNoFrom(time.as('ms')).executeTakeFirstOrThrow()).ms;
};

/**
 * The time of the database, which all machines share. Deadlines are in it: by its own clock a machine that is a minute ahead would
 * find every running session overdue at every sweep, and wake it each time.
 */
export class DatabaseClock implements Clock {
  private measured: { readonly databaseMs: number; readonly at: number } | undefined;
  private readonly timer: NodeJS.Timeout;

  /** @param elapsed milliseconds of a clock that nobody sets */
  constructor(
    private readonly db: Database,
    private readonly elapsed: () => number = () => performance.now(),
  ) {
    // A database that does not answer is reported by whoever needs it; until then the last measurement holds.
    this.timer = setInterval(() => void this.measure().catch(() => undefined), everyMs).unref();
  }

  /** Milliseconds since the epoch; by this machine's clock as long as nothing was measured. */
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
