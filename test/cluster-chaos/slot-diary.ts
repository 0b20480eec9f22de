import { attemptOfName } from '@fleet/contracts';
import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two looks; shorter than any program, so that no place is missed. */
const lookEveryMs = 100;
/** Milliseconds that a grant may be on its way: one that follows so soon after somebody got in line was decided before. */
const onItsWayMs = 100;

/** How one program came to its place. */
export interface Turn {
  readonly sessionId: string;
  /** Places that others got between its getting in line and its own place: as many programs have ended meanwhile. */
  readonly othersFirst: number;
  /** From its getting in line to its place; 0: it was not seen in line. */
  readonly waitedMs: number;
}

/** Who stood in line and who had a place, and since when, as the store has it: read again and again until it is stopped. */
export class SlotDiary {
  /** Milliseconds since the epoch, by the name of the attempt. */
  private readonly inLine = new Map<string, number>();
  private readonly placed = new Map<string, number>();
  private most = 0;
  private stopped = false;
  private readonly loop: Promise<void>;

  constructor(
    private readonly redis: Redis,
    /** Of the slots' keys in Redis. */
    private readonly key: string,
  ) {
    this.loop = this.run();
  }

  /** The most places that were taken at any look. */
  get mostPlaces(): number {
    return this.most;
  }

  /** Programs that hold a place or wait for one now. */
  async left(): Promise<{ readonly places: number; readonly waiting: number }> {
    const [counts, waiting] = await Promise.all([
      this.redis.hgetall(`${this.key}:counts`),
      this.redis.zcard(`${this.key}:waiting`),
    ]);
    return { places: Object.values(counts).reduce((sum, count) => sum + Number(count), 0), waiting };
  }

  hasPlace(sessionId: string): boolean {
    return [...this.placed.keys()].some((name) => attemptOfName(name)?.sessionId === sessionId);
  }

  /** Every program that got a place, in that order. */
  turns(): readonly Turn[] {
    const times = [...this.placed.values()];
    return [...this.placed]
      .sort(([, one], [, other]) => one - other)
      .map(([name, at]) => {
        const since = this.inLine.get(name) ?? at;
        const othersFirst = times.filter((time) => time > since + onItsWayMs && time < at).length;
        return { sessionId: attemptOfName(name)?.sessionId ?? '', othersFirst, waitedMs: Math.max(0, at - since) };
      });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.loop;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      await this.look();
      await sleep(lookEveryMs);
    }
  }

  private async look(): Promise<void> {
    const [waiting, from, all] = await Promise.all([
      this.redis.zrange(`${this.key}:waiting`, '0', '-1', 'WITHSCORES'),
      this.redis.hgetall(`${this.key}:from`),
      this.redis.hget(`${this.key}:counts`, 'all'),
    ]);
    for (let index = 0; index + 1 < waiting.length; index += 2) {
      const name = waiting[index] ?? '';
      // Its first time: one whose Job waits for the cluster is noted again, with its place.
      if (!this.inLine.has(name)) this.inLine.set(name, Number(waiting[index + 1]));
    }
    // `<milliseconds> <class of nodes>`
    for (const [name, since] of Object.entries(from)) this.placed.set(name, Number(since.split(' ')[0]));
    this.most = Math.max(this.most, Number(all ?? 0));
  }
}
