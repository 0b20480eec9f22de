import { attemptOfName } from '@fleet/contracts/runs';
import { connectDatabase, type Database } from '@fleet/store';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two looks; shorter than any program, so that no place is missed. */
const lookEveryMs = 100;
/** Milliseconds that a grant may be on its way: one that follows so soon after somebody got in line was decided before. */
const onItsWayMs = 100;

/** A program that has a place, or stands in line. */
interface Run {
  readonly name: string;
  readonly held_from: Date | null;
  readonly waits_since: Date | null;
}

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
  private readonly queuedOnBackend = new Map<string, number>();
  private readonly placed = new Map<string, number>();
  private most = 0;
  private stopped = false;
  private readonly loop: Promise<void>;

  private readonly db: Database;

  constructor(databaseUrl: string) {
    this.db = connectDatabase(databaseUrl, { connections: 2 });
    this.loop = this.run();
  }

  /** The most places that were taken at any look. */
  get mostPlaces(): number {
    return this.most;
  }

  /** Programs that hold a place or wait for one now. */
  async left(): Promise<{ readonly places: number; readonly waiting: number }> {
    const runs = await this.runs();
    return {
      places: runs.filter(({ held_from: heldFrom }) => heldFrom !== null).length,
      waiting: runs.filter(({ waits_since: since }) => since !== null).length,
    };
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
        const since = this.queuedOnBackend.get(name) ?? at;
        const othersFirst = times.filter((time) => time > since + onItsWayMs && time < at).length;
        return { sessionId: attemptOfName(name)?.sessionId ?? '', othersFirst, waitedMs: Math.max(0, at - since) };
      });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.loop;
    await this.db.destroy();
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      await this.look();
      await sleep(lookEveryMs);
    }
  }

  private async look(): Promise<void> {
    const runs = await this.runs();
    for (const { name, held_from: heldFrom, waits_since: since } of runs) {
      // Its first time: one whose Job waits for the cluster is noted again, with its place.
      if (since !== null && !this.queuedOnBackend.has(name)) this.queuedOnBackend.set(name, since.getTime());
      if (heldFrom !== null) this.placed.set(name, heldFrom.getTime());
    }
    this.most = Math.max(this.most, runs.filter(({ held_from: heldFrom }) => heldFrom !== null).length);
  }

  private runs(): Promise<readonly Run[]> {
    return this.db.selectFrom('runs').select(['name', 'held_from', 'waits_since']).execute();
  }
}
