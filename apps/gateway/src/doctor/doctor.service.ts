import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { CheckupView, Finding } from '@fleet/contracts';
import { CHECKUPS, CLOCK, finding, isoTime, type Checkup, type Clock } from '@fleet/ports';
import { Inject, Injectable } from '@nestjs/common';

/** Milliseconds that each checkup may take; all go on at the same time. */
const patienceMs = 10_000;

const advice = {
  why: 'Nothing can be said of it, and what needs it waits or fails.',
  remedy: 'Look into the log of the gateway, and whether Redis and the file servers answer.',
};

const withinPatience = async (checkup: Checkup, ms: number): Promise<readonly Finding[]> => {
  const { area } = checkup;
  const over = new AbortController();
  const late = pause(ms, [finding(area, 'error', `No answer within ${String(ms / 1000)} s.`, advice)], {
    signal: over.signal,
  });
  try {
    return await Promise.race([checkup.check(), late]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [finding(area, 'error', `It cannot be looked at: ${reason}`, advice)];
  } finally {
    over.abort();
  }
};

/** Looks at a site as it is seen from this gateway. One look at a time: whoever asks meanwhile is told the same. */
@Injectable()
export class Doctor {
  private underWay: Promise<CheckupView> | undefined;

  constructor(
    @Inject(CHECKUPS) private readonly checkups: readonly Checkup[],
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  look(ms = patienceMs): Promise<CheckupView> {
    this.underWay ??= this.lookOnce(ms).finally(() => {
      this.underWay = undefined;
    });
    return this.underWay;
  }

  private async lookOnce(ms: number): Promise<CheckupView> {
    const found = await Promise.all(this.checkups.map((one) => withinPatience(one, ms)));
    return { at: isoTime(this.clock), by: hostname(), findings: found.flat() };
  }
}
