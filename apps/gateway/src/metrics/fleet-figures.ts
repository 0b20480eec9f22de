import { CLOCK, METRICS, type Clock, type Metrics } from '@fleet/ports';
import { RedisFigures } from '@fleet/session-store';
import { Inject, Injectable, type Provider } from '@nestjs/common';
import { RecentAnswer } from '../shares/recent-answer';
import { LaunchFigures } from './launch-figures';
import { QueueFigures } from './queue-figures';
import { SessionFigures } from './session-figures';

/** Milliseconds for which figures are good enough, however many scrape. */
const freshMs = 5_000;

/** Where the figures come from. */
@Injectable()
class FigureSources {
  constructor(
    readonly queues: QueueFigures,
    readonly sessions: SessionFigures,
    readonly launches: LaunchFigures,
    @Inject(RedisFigures) readonly redis: RedisFigures,
  ) {}
}

/**
 * What is said of all processes together, and is in Redis. The gateway alone reads it: each of its copies tells the same, so that sums
 * over them mean nothing (take the largest).
 */
@Injectable()
class FleetFigures {
  constructor(
    { queues, sessions, launches, redis }: FigureSources,
    @Inject(CLOCK) clock: Clock,
    @Inject(METRICS) metrics: Metrics,
  ) {
    // Each for itself: what cannot be read leaves the others to be seen.
    for (const read of [
      () => queues.read(),
      () => sessions.read(),
      () => launches.launches(),
      () => launches.orphanage(),
      () => redis.read(),
    ]) {
      const recent = new RecentAnswer<Awaited<ReturnType<typeof read>>>(clock, freshMs);
      metrics.onRead(() => recent.get(read));
    }
  }
}

/** All that reads figures of the fleet. */
export const fleetFigures: readonly Provider[] = [
  QueueFigures,
  SessionFigures,
  LaunchFigures,
  FigureSources,
  FleetFigures,
];
