/** An observed state of a dataset. */
export interface Sighting {
  /** Sizes and times of its files. */
  readonly sign: string;
  /** When this state was first seen, in milliseconds since 1970. */
  readonly since: number;
}

/** Detects datasets that have been unchanged for so long that they are complete. */
export class Settling {
  private readonly seen: Map<string, Sighting>;

  /** @param known states seen by an earlier process */
  constructor(
    private readonly settleMs: number,
    known: Readonly<Record<string, Sighting>> = {},
  ) {
    this.seen = new Map(Object.entries(known));
  }

  /** Whether it was unchanged for the whole time; a clock that was set back restarts the time. */
  hasSettled(path: string, sign: string, now: number): boolean {
    const earlier = this.seen.get(path);
    const since = earlier?.sign === sign && earlier.since <= now ? earlier.since : now;
    this.seen.set(path, { sign, since });
    return now - since >= this.settleMs;
  }

  forget(path: string): void {
    this.seen.delete(path);
  }

  /** Drops missing datasets. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.seen.keys()) if (!paths.has(path)) this.seen.delete(path);
  }

  get sightings(): Readonly<Record<string, Sighting>> {
    return Object.fromEntries(this.seen);
  }
}
