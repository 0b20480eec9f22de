import type { ExpectedWait } from '@fleet/contracts/launches';
import type { LaunchPolicy, Nodes, SharedRun } from './claims';
import { nextToLaunch, type Line, type Waiter } from './next-to-launch';
import { startOf } from './queue-statuses';
import { waitReasonText } from './why-it-waits';

/** Whether the capacity is known; otherwise the backend decides what starts. */
const isRoomKnown = ({ site }: LaunchPolicy, nodes: Nodes): boolean => site.maxRunning > 0 || site.classes[nodes] > 0;

/**
 * Estimated waits, by name, of runs that would all be submitted now, in this order, behind those that already wait. Runs without an estimate
 * are omitted.
 * @param typicalMs how long recent programs held their slot, by class of nodes
 */
export const expectedWaits = (
  { census, waiters }: Line,
  runs: readonly SharedRun[],
  policy: LaunchPolicy,
  typicalMs: Readonly<Partial<Record<Nodes, number>>>,
): ReadonlyMap<string, ExpectedWait> => {
  const last = waiters.reduce((latest, { arrival }) => Math.max(latest, arrival), 0);
  const newcomers = runs.map((run, index): Waiter => ({ ...run, since: census.now, arrival: last + 1 + index }));
  const requested = new Set(runs.map(({ name }) => name));
  const { start, wait } = nextToLaunch(census, [...waiters, ...newcomers], policy);
  const waits = new Map<string, ExpectedWait>();
  for (const { run } of start)
    if (requested.has(run.name) && isRoomKnown(policy, run.nodes)) waits.set(run.name, { seconds: 0 });
  for (const queued of wait) {
    if (!requested.has(queued.run.name)) continue;
    const at = startOf(queued, census, typicalMs);
    const reason = waitReasonText(queued.full);
    const seconds = at === undefined ? {} : { seconds: Math.round((at - census.now) / 1000) };
    waits.set(queued.run.name, { ...seconds, reason });
  }
  return waits;
};
