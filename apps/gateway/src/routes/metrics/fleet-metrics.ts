import { proposalGroupsOf, SharesConfig, type ProposalGroup } from '@fleet/config';
import { CLOCK, METRICS, type Clock, type Metrics, type Reading } from '@fleet/ports';
import { RedisMetrics } from '@fleet/redis';
import { DatabaseMetrics } from '@fleet/store';
import { Inject, Injectable, type Provider } from '@nestjs/common';
import { RecentAnswer } from '../../http/recent-answer';
import { LaunchMetrics, PROPOSAL_GROUPS } from './launch-metrics';
import { QueueMetrics } from './queue-metrics';
import { SessionMetrics } from './session-metrics';
import { SiteMetrics } from './site-metrics';

/** Lifetime of the metrics in milliseconds, for any number of scrapers. */
const freshMs = 5_000;

/** Metrics of the database and Redis. */
const SERVERS = Symbol('Servers');

/** Sources of the metrics. */
@Injectable()
class MetricSources {
  constructor(
    readonly queues: QueueMetrics,
    readonly sessions: SessionMetrics,
    readonly launches: LaunchMetrics,
    readonly site: SiteMetrics,
    @Inject(SERVERS) readonly servers: readonly { read(): Promise<readonly Reading[]> }[],
  ) {}
}

/**
 * Metrics of all processes together, read only by the gateway. Each of its copies reports the same values, so they must
 * not be summed (use the maximum).
 */
@Injectable()
class FleetMetrics {
  constructor(
    { queues, sessions, launches, site, servers }: MetricSources,
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
export const fleetMetrics: readonly Provider[] = [
  QueueMetrics,
  SessionMetrics,
  LaunchMetrics,
  SiteMetrics,
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
    inject: [DatabaseMetrics, RedisMetrics],
    useFactory: (...servers: readonly [DatabaseMetrics, RedisMetrics]) => servers,
  },
  MetricSources,
  FleetMetrics,
];
