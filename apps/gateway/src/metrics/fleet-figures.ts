import { Queues, sessionOutcomes, sessionStatuses, strikesOfOrphan } from '@fleet/contracts';
import {
  CLOCK,
  LAUNCH_CONTROL,
  METRICS,
  ORPHAN_REGISTER,
  reading,
  RUN_SLOTS,
  SESSION_INDEX,
  type Clock,
  type LaunchControl,
  type Metrics,
  type OrphanRegister,
  type Reading,
  type RunSlots,
  type SessionIndex,
} from '@fleet/ports';
import { JobProducer } from '@fleet/queue';
import { RedisFigures } from '@fleet/session-store';
import { Inject, Injectable } from '@nestjs/common';
import { CurrentShares } from '../shares/current-shares.service';
import { lineFigures } from './line-figures';

/** Milliseconds for which figures are good enough, however many scrape. */
const freshMs = 5_000;

/**
 * What is said of all processes together, and is in Redis. The gateway alone reads it: each of its copies tells the same, so that sums
 * over them mean nothing (take the largest).
 */
@Injectable()
export class FleetFigures {
  constructor(
    @Inject(JobProducer) private readonly jobs: JobProducer,
    @Inject(SESSION_INDEX) private readonly index: SessionIndex,
    @Inject(RUN_SLOTS) private readonly slots: RunSlots,
    @Inject(LAUNCH_CONTROL) private readonly control: LaunchControl,
    @Inject(ORPHAN_REGISTER) private readonly orphans: OrphanRegister,
    @Inject(CurrentShares) private readonly shares: CurrentShares,
    @Inject(RedisFigures) redis: RedisFigures,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(METRICS) metrics: Metrics,
  ) {
    // Each for itself: what cannot be read leaves the others to be seen.
    for (const read of [
      () => this.queues(),
      () => this.sessions(),
      () => this.launches(),
      () => this.orphanage(),
      () => redis.read(),
    ])
      metrics.onRead(this.cached(read));
  }

  private cached(read: () => Promise<readonly Reading[]>): () => Promise<readonly Reading[]> {
    let known: { readonly at: number; readonly readings: Promise<readonly Reading[]> } | undefined;
    return () => {
      const now = this.clock.now();
      if (known !== undefined && now - known.at < freshMs) return known.readings;
      const made = { at: now, readings: read() };
      known = made;
      // One that fails is no answer for those that ask next.
      made.readings.catch(() => {
        if (known === made) known = undefined;
      });
      return made.readings;
    };
  }

  private async queues(): Promise<readonly Reading[]> {
    const now = this.clock.now();
    const each = Object.values(Queues).map(async (queue) => {
      const { jobs, oldestMs } = await this.jobs.backlog(queue, now);
      const { waiting, prioritized, due, later, active } = jobs;
      return [
        reading('phenix_fleet_queue_jobs', { queue, state: 'waiting' }, waiting),
        reading('phenix_fleet_queue_jobs', { queue, state: 'prioritized' }, prioritized),
        reading('phenix_fleet_queue_jobs', { queue, state: 'due' }, due),
        reading('phenix_fleet_queue_jobs', { queue, state: 'later' }, later),
        reading('phenix_fleet_queue_jobs', { queue, state: 'active' }, active),
        reading('phenix_fleet_queue_oldest_seconds', { queue }, oldestMs / 1000),
      ];
    });
    return (await Promise.all(each)).flat();
  }

  private async sessions(): Promise<readonly Reading[]> {
    const ofStatus = sessionStatuses.map(async (status) =>
      reading('phenix_fleet_sessions', { status }, await this.index.count({ status })),
    );
    const ofOutcome = sessionOutcomes.map(async (outcome) =>
      reading('phenix_fleet_session_outcomes', { outcome }, await this.index.count({ outcome })),
    );
    return Promise.all([...ofStatus, ...ofOutcome]);
  }

  private async launches(): Promise<readonly Reading[]> {
    const [line, { policy }, { mode }] = await Promise.all([
      this.slots.line(),
      this.shares.view(),
      this.control.read(),
    ]);
    const open = mode === 'open';
    return [reading('phenix_fleet_launches_open', {}, Number(open)), ...lineFigures(line, policy, open)];
  }

  private async orphanage(): Promise<readonly Reading[]> {
    const known = await this.orphans.list();
    const removable = known.filter(({ strikes }) => strikes >= strikesOfOrphan).length;
    return [
      reading('phenix_fleet_orphans', { state: 'removable' }, removable),
      reading('phenix_fleet_orphans', { state: 'suspected' }, known.length - removable),
    ];
  }
}
