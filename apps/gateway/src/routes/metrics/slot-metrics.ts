import { groupOfProposal, type ProposalGroup } from '@fleet/config';
import type { SharesPolicy } from '@fleet/contracts/launches';
import type { WaitReason } from '@fleet/contracts/metrics';
import { claimOf, nextToLaunch, type Nodes, type SlotClaim, type Waiter } from '@fleet/fair-shares';
import { reading, type Reading, type QueueSnapshot } from '@fleet/ports';

const nodes: readonly Nodes[] = ['cpu', 'gpu'];

interface Waits {
  readonly run: Waiter;
  readonly reason: WaitReason;
}

/**
 * The held slots, by proposal group. No proposal is named.
 * @param groups empty: no metrics
 */
export const groupMetrics = (
  { census }: Pick<QueueSnapshot, 'census'>,
  groups: readonly ProposalGroup[],
): readonly Reading[] => {
  if (groups.length === 0) return [];
  const shares = Object.entries(census.taken).flatMap(([key, count]) => {
    const { kind, name } = claimOf(key);
    const [one = '', ...proposal] = name.split(':');
    return kind === 'share'
      ? [{ nodes: one, group: groupOfProposal(groups, proposal.join(':')) ?? 'other', count }]
      : [];
  });
  const heldBy = (of: Nodes, group: string): number =>
    shares.filter((one) => one.nodes === of && one.group === group).reduce((sum, { count }) => sum + count, 0);
  return nodes.flatMap((one) =>
    [...groups.map(({ name }) => name), 'other'].map((group) =>
      reading('phenix_fleet_slots_used_by_group', { class: one, group }, heldBy(one, group)),
    ),
  );
};

/**
 * Metrics of the queue for slots, without names of proposals and users.
 * @param open whether programs may be launched
 */
export const slotMetrics = (line: QueueSnapshot, shares: SharesPolicy, open: boolean): readonly Reading[] => {
  const { census, waiters, site } = line;
  const waits = waitsOf(line, shares, open);
  const limits =
    site === undefined
      ? []
      : ([...nodes.map((one) => [one, site.classes[one]] as const), ['all', site.maxRunning]] as const);
  return [
    ...nodes.map((one) => reading('phenix_fleet_slots_used', { class: one }, census.taken[`class:${one}`] ?? 0)),
    ...limits
      .filter(([, limit]) => limit > 0)
      .map(([one, limit]) => reading('phenix_fleet_slots_limit', { class: one }, limit)),
    ...nodes.map((one) =>
      reading('phenix_fleet_launches_oldest_seconds', { class: one }, oldestS(waiters, one, census.now)),
    ),
    ...countsOf(waits),
  ];
};

const waitsOf = ({ census, waiters, site }: QueueSnapshot, shares: SharesPolicy, open: boolean): readonly Waits[] => {
  if (!open || site === undefined) return waiters.map((run) => ({ run, reason: open ? 'uncounted' : 'paused' }));
  const { start, wait } = nextToLaunch(census, waiters, { site, shares });
  return [
    ...start.map(({ run }): Waits => ({ run, reason: 'next' })),
    ...wait.map(({ run, full }): Waits => ({ run, reason: reasonOf(full) })),
  ];
};

/** A class without a limit is full if the backend is full. */
const reasonOf = ({ key, limit }: SlotClaim): WaitReason => (limit === 0 ? 'room' : claimOf(key).kind);

const countsOf = (waits: readonly Waits[]): readonly Reading[] => {
  const counts = new Map<string, { readonly of: Waits; count: number }>();
  for (const of of waits) {
    const key = `${of.run.nodes} ${of.reason}`;
    const known = counts.get(key) ?? { of, count: 0 };
    known.count += 1;
    counts.set(key, known);
  }
  return [...counts.values()].map(({ of: { run, reason }, count }) =>
    reading('phenix_fleet_launches_waiting', { class: run.nodes, reason }, count),
  );
};

const oldestS = (waiters: readonly Waiter[], of: Nodes, now: number): number => {
  const since = waiters.filter(({ nodes: one }) => one === of).reduce((least, one) => Math.min(least, one.since), now);
  return (now - since) / 1000;
};
