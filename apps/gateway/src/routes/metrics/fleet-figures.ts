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

/** Lifetime of the metrics in milliseconds, for any number of scrapers. */
const freshMs = 5_000;

/** Metrics of the database and Redis. */
const SERVERS = Symbol('Servers');

/** Sources of the metrics. */
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
 * Metrics of all processes together, read only by the gateway. Each of its copies reports the same values, so they must
 * not be summed (use the maximum).
 */
@Injectable()
class FleetFigures {
  constructor(
    { queues, sessions, launches, site, servers }: FigureSources,
    @Inject(CLOCK) clock: Clock,
    @Inject(METRICS) metrics: Metrics,
  ) {
    // Each separately: a failure does not hide the others.
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

/** All sources of fleet metrics. */
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
