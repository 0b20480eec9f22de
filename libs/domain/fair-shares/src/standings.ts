import type { StandingView } from '@fleet/contracts';
import type { LaunchPolicy } from './claims';
import { nextToLaunch, type Line } from './next-to-launch';
import { estimatedStart, obstacleText } from './why-it-waits';

const isoOf = (ms: number): string => new Date(ms).toISOString();

/**
 * Where each run that waits stands, by its name. Those that are next have no position: they start as soon as an executor looks.
 * @param typicalMs how long a program has had its place lately, by class of nodes
 */
export const standingsOf = (
  { census, waiters }: Line,
  policy: LaunchPolicy,
  typicalMs: Readonly<Record<string, number>>,
): ReadonlyMap<string, StandingView> => {
  return new Map(
    nextToLaunch(census, waiters, policy).wait.map((standing) => {
      const { run, full, position, of, oldestSince } = standing;
      const { name, nodes, since } = run;
      const length = typicalMs[nodes];
      const running = census.taken[`class:${nodes}`] ?? 0;
      const pace = { now: census.now, running, ...(length !== undefined && { typicalMs: length }) };
      const start = estimatedStart(standing, pace);
      const view: StandingView = {
        because: obstacleText(full),
        position,
        of,
        since: isoOf(since),
        oldestSince: isoOf(oldestSince),
        ...(start !== undefined && { estimatedStart: isoOf(start) }),
      };
      return [name, view];
    }),
  );
};
