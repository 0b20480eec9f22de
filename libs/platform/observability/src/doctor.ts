import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { CheckupView, Finding } from '@fleet/contracts/administration';
import { finding, isoTime, type Checkup, type Clock } from '@fleet/ports';

/** Timeout of each checkup in milliseconds; all run in parallel. */
const patienceMs = 10_000;

const advice = {
  why: 'Nothing can be said of it, and what needs it waits or fails.',
  remedy: 'Look in the log of the service, and check that Redis and the file servers answer.',
};

/** A started checkup. */
interface Begun {
  readonly atMs: number;
  readonly found: Promise<readonly Finding[]>;
}

const foundBy = async (checkup: Checkup): Promise<readonly Finding[]> => {
  try {
    return await checkup.check();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [finding(checkup.area, 'error', `It cannot be looked at: ${reason}`, advice)];
  }
};

/** The findings, or that there were none within the timeout. */
const withinPatience = async (area: string, { atMs, found }: Begun, ms: number): Promise<readonly Finding[]> => {
  const over = new AbortController();
  const late = pause(Math.max(0, atMs + ms - performance.now()), undefined, { signal: over.signal }).then(() => {
    const s = ((performance.now() - atMs) / 1000).toFixed(0);
    return [finding(area, 'error', `No answer for ${s} s.`, advice)];
  });
  try {
    return await Promise.race([found, late]);
  } finally {
    over.abort();
  }
};

/** Checks a site as seen from this process. One check at a time: concurrent callers share its result. */
export class Doctor {
  private inProgress: Promise<CheckupView> | undefined;
  /** Checkups in progress. One that hangs blocks a thread of the process, so it is never started a second time. */
  private readonly begun = new Map<Checkup, Begun>();

  constructor(
    private readonly checkups: readonly Checkup[],
    private readonly clock: Clock,
  ) {}

  look(ms = patienceMs): Promise<CheckupView> {
    this.inProgress ??= this.lookOnce(ms).finally(() => {
      this.inProgress = undefined;
    });
    return this.inProgress;
  }

  private async lookOnce(ms: number): Promise<CheckupView> {
    const found = await Promise.all(this.checkups.map((one) => withinPatience(one.area, this.begin(one), ms)));
    return { at: isoTime(this.clock), by: hostname(), findings: found.flat() };
  }

  private begin(checkup: Checkup): Begun {
    const before = this.begun.get(checkup);
    if (before !== undefined) return before;
    const found = foundBy(checkup).finally(() => this.begun.delete(checkup));
    const begun = { atMs: performance.now(), found };
    this.begun.set(checkup, begun);
    return begun;
  }
}
