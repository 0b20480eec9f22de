/** A dataset as it was seen. */
export interface Sighting {
  /** Sizes and times of its files. */
  readonly sign: string;
  /** Since when it has been so, in milliseconds since 1970. */
  readonly since: number;
}

/** Which datasets have stayed the same for so long that whoever writes them has finished. */
export class Settling {
  private readonly seen: Map<string, Sighting>;

  /** @param known what an earlier process saw */
  constructor(
    private readonly settleMs: number,
    known: Readonly<Record<string, Sighting>> = {},
  ) {
    this.seen = new Map(Object.entries(known));
  }

  /** Whether it has been so for the whole time; a clock that was set back begins it again. */
  hasSettled(path: string, sign: string, now: number): boolean {
    const earlier = this.seen.get(path);
    const since = earlier?.sign === sign && earlier.since <= now ? earlier.since : now;
    this.seen.set(path, { sign, since });
    return now - since >= this.settleMs;
  }

  forget(path: string): void {
    this.seen.delete(path);
  }

  /** Forgets what has gone. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.seen.keys()) if (!paths.has(path)) this.seen.delete(path);
  }

  get sightings(): Readonly<Record<string, Sighting>> {
    return Object.fromEntries(this.seen);
  }
}
