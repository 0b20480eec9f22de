import { proposalGroupsOf, SharesConfig, type ProposalGroup } from '@fleet/config';
import { CLOCK, METRICS, type Clock, type Metrics, type Reading } from '@fleet/ports';
import { RedisFigures } from '@fleet/redis';
import { DatabaseFigures } from '@fleet/store';
import { Inject, Injectable, type Provider } from '@nestjs/common';
import { RecentAnswer } from '../../http/recent-answer';
import { LaunchFigures, PROPOSAL_GROUPS } from './launch-figures';
import { QueueFigures } from './queue-figures';
import { SessionFigures } from './session-figures';
import { SiteFigures } from './site-figures';

/** Milliseconds for which figures are good enough, however many scrape. */
const freshMs = 5_000;

/** What the database and Redis say of themselves. */
const SERVERS = Symbol('Servers');

/** Where the figures come from. */
@Injectable()
class FigureSources {
  constructor(
    readonly queues: QueueFigures,
    readonly sessions: SessionFigures,
    readonly launches: LaunchFigures,
    readonly site: SiteFigures,
    @Inject(SERVERS) readonly servers: readonly { read(): Promise<readonly Reading[]> }[],
  ) {}
}

/**
 * What is said of all processes together. The gateway alone reads it: each of its copies tells the same, so that sums
 * over them mean nothing (take the largest).
 */
@Injectable()
class FleetFigures {
  constructor(
    { queues, sessions, launches, site, servers }: FigureSources,
    @Inject(CLOCK) clock: Clock,
    @Inject(METRICS) metrics: Metrics,
  ) {
    // Each for itself: what cannot be read leaves the others to be seen.
    for (const read of [
      () => queues.read(),
      () => sessions.read(),
      () => launches.launches(),
      () => launches.orphanage(),
      () => site.programs(),
      () => site.webhooks(),
      ...servers.map((server) => () => server.read()),
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
  SiteFigures,
  {
    provide: PROPOSAL_GROUPS,
    inject: [SharesConfig, METRICS],
    useFactory: (config: SharesConfig, metrics: Metrics): readonly ProposalGroup[] => {
      const groups = proposalGroupsOf(config);
      metrics.declare('group', [...groups.map(({ name }) => name)]);
      return groups;
    },
  },
  {
    provide: SERVERS,
    inject: [DatabaseFigures, RedisFigures],
    useFactory: (...servers: readonly [DatabaseFigures, RedisFigures]) => servers,
  },
  FigureSources,
  FleetFigures,
];
