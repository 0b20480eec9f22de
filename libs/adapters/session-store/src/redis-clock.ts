import { systemClock, type Clock } from '@fleet/ports';
import type { Redis } from 'ioredis';

/** How often the time of Redis is asked for, in milliseconds: clocks of machines drift by less than a second in a day. */
const EVERY_MS = 60_000;

/** An answer that took longer says too little about when it was given, in milliseconds. */
const SLOWEST_MS = 250;

/**
 * The time of Redis, which all machines share. Deadlines are told in it: by its own clock a machine that is a minute ahead would
 * find every running session overdue at every sweep, and wake it each time.
 */
export class RedisClock implements Clock {
  private measured: { readonly redisMs: number; readonly at: number } | undefined;
  private readonly timer: NodeJS.Timeout;

  /** @param elapsed milliseconds of a clock that nobody sets */
  constructor(
    private readonly redis: Redis,
    private readonly elapsed: () => number = () => performance.now(),
  ) {
    // After a failover it is another machine that tells the time.
    redis.on('ready', this.remeasure);
    this.timer = setInterval(this.remeasure, EVERY_MS).unref();
  }

  /** Milliseconds since the epoch; by this machine's clock as long as Redis has not been asked. */
  now(): number {
    if (this.measured === undefined) return systemClock.now();
    return Math.round(this.measured.redisMs + this.elapsed() - this.measured.at);
  }

  async measure(): Promise<void> {
    const asked = this.elapsed();
    const [seconds, microseconds] = await this.redis.time();
    const answered = this.elapsed();
    if (answered - asked > SLOWEST_MS && this.measured !== undefined) return;
    this.measured = { redisMs: Number(seconds) * 1000 + Number(microseconds) / 1000, at: (asked + answered) / 2 };
  }

  close(): void {
    clearInterval(this.timer);
    this.redis.off('ready', this.remeasure);
  }

  private readonly remeasure = (): void => {
    // A Redis that does not answer is told of by its connection; until then the last measurement holds.
    this.measure().catch(() => undefined);
  };
}
