import type { QueueStatus } from '@fleet/contracts/launches';
import type { LaunchPolicy } from './claims';
import { nextToLaunch, type Census, type Line, type QueuedRun } from './next-to-launch';
import { estimatedStart, obstacleText } from './why-it-waits';

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** When a run that waits may start, in milliseconds since the epoch; undefined while nobody can tell. */
export const startOf = (
  queued: QueuedRun,
  { now, taken }: Census,
  typicalMs: Readonly<Record<string, number>>,
): number | undefined => {
  const { nodes } = queued.run;
  const length = typicalMs[nodes];
  const running = taken[`class:${nodes}`] ?? 0;
  return estimatedStart(queued, { now, running, ...(length !== undefined && { typicalMs: length }) });
};

/**
 * Where each run that waits stands, by its name. Those that are next have no position: they start as soon as an executor looks.
 * @param typicalMs how long a program has had its place lately, by class of nodes
 */
export const queueStatusesOf = (
  { census, waiters }: Line,
  policy: LaunchPolicy,
  typicalMs: Readonly<Record<string, number>>,
): ReadonlyMap<string, QueueStatus> => {
  return new Map(
    nextToLaunch(census, waiters, policy).wait.map((queued) => {
      const { run, full, position, of, oldestSince } = queued;
      const { name, since } = run;
      const start = startOf(queued, census, typicalMs);
      const view: QueueStatus = {
        reason: obstacleText(full),
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
