import type { Clock } from '@fleet/ports';

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  constructor(private ms = Date.parse('2026-11-21T08:00:00.000Z')) {}

  now(): number {
    return this.ms;
  }

  forward(ms: number): void {
    this.ms += ms;
  }
}
