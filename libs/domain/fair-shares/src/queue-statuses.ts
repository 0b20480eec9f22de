import type { QueueStatus } from '@fleet/contracts/launches';
import type { LaunchPolicy } from './claims';
import { nextToLaunch, type Census, type Line, type QueuedRun } from './next-to-launch';
import { estimatedStart, waitReasonText } from './why-it-waits';

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Estimated start of a waiting run, milliseconds since the epoch; undefined if no estimate is possible. */
export const startOf = (
  queued: QueuedRun,
  { now, taken }: Census,
  typicalMs: Readonly<Record<string, number>>,
): number | undefined => {
  const { nodes } = queued.run;
  const typicalLength = typicalMs[nodes];
  const running = taken[`class:${nodes}`] ?? 0;
  return estimatedStart(queued, { now, running, ...(typicalLength !== undefined && { typicalMs: typicalLength }) });
};

/**
 * The queue status of each waiting run, by name. Runs that are next have no status: they start at the next poll of an executor.
 * @param typicalMs how long recent programs held their slot, by class of nodes
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
        reason: waitReasonText(full),
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
