import type { Priority, SharesPolicy } from '@fleet/contracts/launches';
import type { AttemptResources } from '@fleet/contracts/sessions';

export type Nodes = AttemptResources['class'];

/** The properties of a run that fair shares depend on. */
export interface SharedRun {
  /** The attempt's name. */
  readonly name: string;
  readonly proposal: string;
  /** Submitter; empty: unknown, and no per-user limit applies. */
  readonly user: string;
  readonly priority: Priority;
  readonly nodes: Nodes;
  /** Submission time of its session, milliseconds since the epoch. */
  readonly submittedAt: number;
}

/** A run with everything that it counts towards, as the store receives it. */
export interface Claimant {
  readonly run: SharedRun;
  readonly claims: readonly SlotClaim[];
  readonly quotas: readonly SlotClaim[];
  /** Weight of its proposal. */
  readonly weight: number;
}

/** Maximum of concurrent runs over all executors, set by the capacity of the site; 0: no limit. */
export interface SiteLimits {
  readonly maxRunning: number;
  readonly maxRunningPerProposal: number;
  readonly classes: Readonly<Record<Nodes, number>>;
}

export interface LaunchPolicy {
  readonly site: SiteLimits;
  readonly shares: SharesPolicy;
}

/** Kinds of counts; a key begins with its kind. */
const claimKinds = ['day', 'userday', 'proposal', 'share', 'user', 'priority', 'class', 'all'] as const;
type ClaimKind = (typeof claimKinds)[number];

/** A count that a run takes part in. */
export interface SlotClaim {
  /** For example `all`, `class:gpu` or `proposal:mx1234`. */
  readonly key: string;
  /** Maximum of concurrent runs, or of starts in a day; 0: no limit, only counted. */
  readonly limit: number;
}

/** @returns the kind of a key, and the proposal, user, priority or class that it counts */
export const claimOf = (key: string): { readonly kind: ClaimKind; readonly name: string } => {
  const kind = claimKinds.find((one) => key === one || key.startsWith(`${one}:`)) ?? 'all';
  return { kind, name: key.slice(kind.length + 1) };
};

/** The count of a proposal's running programs on nodes of this class, by which shares are compared. */
export const shareKey = (nodes: Nodes, proposal: string): string => `share:${nodes}:${proposal}`;

/** The smaller of two limits; 0 means unlimited. */
const stricter = (a: number, b: number): number => (a === 0 || b === 0 ? a + b : Math.min(a, b));

export const weightOf = ({ proposals }: SharesPolicy, proposal: string): number => proposals[proposal]?.weight ?? 1;

/** Whether the site lets this proposal or beamline submit with priority live. */
export const mayBeLive = (
  { liveAllowedFor }: SharesPolicy,
  { proposal, beamline }: { readonly proposal: string; readonly beamline: string },
): boolean => ['*', proposal, beamline].some((one) => liveAllowedFor.includes(one));

const limitOfPriority = (shares: SharesPolicy, priority: Priority): number =>
  ({ live: shares.maxLive, standard: shares.maxStandard, backfill: shares.maxBackfill })[priority];

/**
 * Counts that a run increases while it has a slot, the closest limit first: the reported limit should be one that the submitter can
 * influence.
 */
export const claimsOf = (run: SharedRun, { site, shares }: LaunchPolicy): readonly SlotClaim[] => {
  const { proposal, user, priority, nodes } = run;
  const proposalLimit = shares.proposals[proposal]?.maxRunning ?? shares.maxPerProposal;
  return [
    { key: `proposal:${proposal}`, limit: stricter(proposalLimit, site.maxRunningPerProposal) },
    { key: shareKey(nodes, proposal), limit: nodes === 'gpu' ? shares.maxGpuPerProposal : 0 },
    ...(user === '' ? [] : [{ key: `user:${user}`, limit: shares.maxPerUser }]),
    { key: `priority:${priority}`, limit: limitOfPriority(shares, priority) },
    { key: `class:${nodes}`, limit: site.classes[nodes] },
    { key: 'all', limit: site.maxRunning },
  ];
};

/** @returns the run with everything that it counts towards */
export const claimantOf = (run: SharedRun, policy: LaunchPolicy): Claimant => ({
  run,
  claims: claimsOf(run, policy),
  quotas: quotasOf(run, policy),
  weight: weightOf(policy.shares, run.proposal),
});

/** Counts that a start increases for the rest of its day; the end of the run does not release them. */
export const quotasOf = ({ proposal, user }: SharedRun, { shares }: LaunchPolicy): readonly SlotClaim[] => [
  { key: `day:${proposal}`, limit: shares.proposals[proposal]?.startsPerDay ?? shares.startsPerDayPerProposal },
  ...(user === '' ? [] : [{ key: `userday:${user}`, limit: shares.startsPerDayPerUser }]),
];
