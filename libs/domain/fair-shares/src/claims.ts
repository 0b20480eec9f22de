import type { Priority, SharesPolicy } from '@fleet/contracts/launches';
import type { AttemptResources } from '@fleet/contracts/sessions';

export type Nodes = AttemptResources['class'];

/** A run, as far as shares go. */
export interface SharedRun {
  /** The attempt's name. */
  readonly name: string;
  readonly proposal: string;
  /** Who submitted it; empty: nobody was named, and no limit for one user counts it. */
  readonly user: string;
  readonly priority: Priority;
  readonly nodes: Nodes;
  /** Milliseconds since the epoch at which its session was submitted. */
  readonly submittedAt: number;
}

/** A run that takes part, as the store receives it. */
export interface Claimant {
  readonly run: SharedRun;
  readonly claims: readonly SlotClaim[];
  readonly quotas: readonly SlotClaim[];
  /** Its proposal's. */
  readonly weight: number;
}

/** Most runs at once over all executors, as the site has room for them; 0: no limit. */
export interface SiteLimits {
  readonly maxRunning: number;
  readonly maxRunningPerProposal: number;
  readonly classes: Readonly<Record<Nodes, number>>;
}

export interface LaunchPolicy {
  readonly site: SiteLimits;
  readonly shares: SharesPolicy;
}

/** What a count is of; with what its key begins with. */
const claimKinds = ['day', 'userday', 'proposal', 'share', 'user', 'priority', 'class', 'all'] as const;
type ClaimKind = (typeof claimKinds)[number];

/** A count that a run takes part in. */
export interface SlotClaim {
  /** For example `all`, `class:gpu` or `proposal:mx1234`. */
  readonly key: string;
  /** Most runs that may hold it at once, or start in a day; 0: no limit, it is only counted. */
  readonly limit: number;
}

/** What a key counts, and of whom. */
export const claimOf = (key: string): { readonly kind: ClaimKind; readonly name: string } => {
  const kind = claimKinds.find((one) => key === one || key.startsWith(`${one}:`)) ?? 'all';
  return { kind, name: key.slice(kind.length + 1) };
};

/** How many programs of a proposal run on nodes of this class: what shares are compared by. */
export const shareKey = (nodes: Nodes, proposal: string): string => `share:${nodes}:${proposal}`;

/** The smaller of two limits of which 0 is none. */
const stricter = (a: number, b: number): number => (a === 0 || b === 0 ? a + b : Math.min(a, b));

export const weightOf = ({ proposals }: SharesPolicy, proposal: string): number => proposals[proposal]?.weight ?? 1;

/** Whether the site lets this proposal or beamline submit with priority live. */
export const mayBeLive = (
  { liveAllowedFor }: SharesPolicy,
  { proposal, beamline }: { readonly proposal: string; readonly beamline: string },
): boolean => ['*', proposal, beamline].some((one) => liveAllowedFor.includes(one));

const limitOfPriority = (shares: SharesPolicy, priority: Priority): number =>
  ({ live: shares.maxLive, standard: shares.maxStandard, backfill: shares.maxBackfill })[priority];

/** What a run holds while it has a place, the closest limit first: what is reported is what the submitter can do something about. */
export const claimsOf = (run: SharedRun, { site, shares }: LaunchPolicy): readonly SlotClaim[] => {
  const { proposal, user, priority, nodes } = run;
  const ofProposal = shares.proposals[proposal]?.maxRunning ?? shares.maxPerProposal;
  return [
    { key: `proposal:${proposal}`, limit: stricter(ofProposal, site.maxRunningPerProposal) },
    { key: shareKey(nodes, proposal), limit: nodes === 'gpu' ? shares.maxGpuPerProposal : 0 },
    ...(user === '' ? [] : [{ key: `user:${user}`, limit: shares.maxPerUser }]),
    { key: `priority:${priority}`, limit: limitOfPriority(shares, priority) },
    { key: `class:${nodes}`, limit: site.classes[nodes] },
    { key: 'all', limit: site.maxRunning },
  ];
};

/** @returns the run with all that it counts towards */
export const claimantOf = (run: SharedRun, policy: LaunchPolicy): Claimant => ({
  run,
  claims: claimsOf(run, policy),
  quotas: quotasOf(run, policy),
  weight: weightOf(policy.shares, run.proposal),
});

/** What a start counts towards for the rest of its day, and gives back no more. */
export const quotasOf = ({ proposal, user }: SharedRun, { shares }: LaunchPolicy): readonly SlotClaim[] => [
  { key: `day:${proposal}`, limit: shares.proposals[proposal]?.startsPerDay ?? shares.startsPerDayPerProposal },
  ...(user === '' ? [] : [{ key: `userday:${user}`, limit: shares.startsPerDayPerUser }]),
];
