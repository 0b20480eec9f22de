import type { SharesPolicy } from '@fleet/contracts/launches';
import {
  claimOf,
  claimsOf,
  quotasOf,
  shareKey,
  weightOf,
  type LaunchPolicy,
  type Nodes,
  type SharedRun,
  type SlotClaim,
} from './claims';
import { Heap } from './heap';

/** A run without a slot. */
export interface Waiter extends SharedRun {
  /** Start of its wait, milliseconds since the epoch. */
  readonly since: number;
  /** Increases with each run that begins to wait: the order of arrival if times are equal. */
  readonly arrival: number;
}

/** Running and started programs at one moment. */
export interface Census {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Runs that hold a slot, by the key of their claim (`claimsOf`). */
  readonly taken: Readonly<Record<string, number>>;
  /** Programs started today (UTC), by the key of the quota (`quotasOf`). */
  readonly started: Readonly<Record<string, number>>;
  /** The virtual start time of each proposal: starts divided by weight. Absent: no recent start. */
  readonly turns: Readonly<Record<string, number>>;
  /** The virtual time of the last start. No proposal has an earlier one, so an idle proposal accumulates no credit. */
  readonly turn: number;
  /** Classes of nodes on which the backend had no room at the last attempt: there only one run at a time is tried. */
  readonly noRoom: readonly Nodes[];
}

export interface Start {
  readonly run: Waiter;
  readonly claims: readonly SlotClaim[];
  readonly quotas: readonly SlotClaim[];
  /** The next virtual time of its proposal, and the current one. */
  readonly nextTurn: number;
  readonly turn: number;
}

/** A run that must wait, and its position. */
export interface QueuedRun {
  readonly run: Waiter;
  /** The limit that blocks it; limit 0: the backend has no room. */
  readonly full: SlotClaim;
  /** 1-based position among the runs blocked by the same limit. */
  readonly position: number;
  /** Number of runs blocked by it. */
  readonly of: number;
  /** Start of the longest wait for it, milliseconds since the epoch. */
  readonly oldestSince: number;
}

export interface NextToLaunch {
  /** In launch order. */
  readonly start: readonly Start[];
  readonly wait: readonly QueuedRun[];
}

/** The state in the store that `nextToLaunch` needs. */
export interface Line {
  readonly census: Census;
  readonly waiters: readonly Waiter[];
}

const ranks = { live: 0, standard: 1, backfill: 2 } as const;
const hourMs = 3_600_000;

/** Backfill that was submitted long ago has the rank of standard. */
const rankOf = ({ priority, submittedAt }: Waiter, now: number, { backfillWaitsHours }: SharesPolicy): number =>
  priority === 'backfill' && now - submittedAt >= backfillWaitsHours * hourMs ? ranks.standard : ranks[priority];

/** Runs of one proposal with the same rank and class of nodes, the session that was submitted first in front. */
interface Queue {
  readonly rank: number;
  readonly nodes: Nodes;
  readonly proposal: string;
  readonly weight: number;
  readonly waiters: Waiter[];
  /** The first run that was not processed yet, and how many were. */
  head: Waiter;
  processed: number;
  /** The share and virtual time of the proposal when the queue was put into the heap: both only grow. */
  share: number;
  turn: number;
}

const byName = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
const bySubmission = (a: Waiter, b: Waiter): number =>
  a.submittedAt - b.submittedAt || a.arrival - b.arrival || byName(a.name, b.name);

/**
 * Launch order: priority, then the smallest share for the weight, then the earliest virtual time, then the session that was submitted first.
 */
const byClaim = (a: Queue, b: Queue): number =>
  a.rank - b.rank || a.share - b.share || a.turn - b.turn || bySubmission(a.head, b.head);

const queuesOf = (census: Census, waiters: readonly Waiter[], shares: SharesPolicy): readonly Queue[] => {
  const queues = new Map<string, Queue>();
  for (const waiter of waiters) {
    const { nodes, proposal } = waiter;
    const rank = rankOf(waiter, census.now, shares);
    const key = `${String(rank)} ${nodes} ${proposal}`;
    const known = queues.get(key);
    if (known !== undefined) known.waiters.push(waiter);
    else {
      const weight = weightOf(shares, proposal);
      queues.set(key, {
        rank,
        nodes,
        proposal,
        weight,
        waiters: [waiter],
        head: waiter,
        processed: 0,
        share: 0,
        turn: 0,
      });
    }
  }
  for (const queue of queues.values()) {
    queue.waiters.sort(bySubmission);
    queue.head = queue.waiters[0] ?? queue.head;
  }
  return [...queues.values()];
};

/** Limits that all proposals compete for; the others belong to one proposal, user or priority. */
const isShared = ({ key }: SlotClaim): boolean => ['all', 'class'].includes(claimOf(key).kind);

const countOf = (counts: ReadonlyMap<string, number>, key: string): number => counts.get(key) ?? 0;
const addOne = (counts: Map<string, number>, key: string): void => void counts.set(key, countOf(counts, key) + 1);

/** Runs blocked by the same limit. */
interface LimitQueue {
  count: number;
  oldest: number;
}
type BlockedRun = Pick<QueuedRun, 'run' | 'full' | 'position'> & { readonly limitQueue: LimitQueue };

/** Assigns slots one by one; each assignment affects the following ones. */
class SlotAssignment {
  readonly start: Start[] = [];
  private readonly blocked: BlockedRun[] = [];
  private readonly limitQueues = new Map<string, LimitQueue>();
  private readonly taken: Map<string, number>;
  private readonly started: Map<string, number>;
  private readonly turns: Map<string, number>;
  /** Slots that earlier runs in the queue will get, by proposal and class of nodes. */
  private readonly promised = new Map<string, number>();
  private readonly triedNodes = new Set<Nodes>();
  private turn: number;

  constructor(
    private readonly census: Census,
    private readonly policy: LaunchPolicy,
  ) {
    this.taken = new Map(Object.entries(census.taken));
    this.started = new Map(Object.entries(census.started));
    this.turns = new Map(Object.entries(census.turns));
    this.turn = census.turn;
  }

  /** @returns whether the queue's order has changed since it was put into the heap; then it must be inserted again */
  refresh(queue: Queue): boolean {
    const key = shareKey(queue.nodes, queue.proposal);
    const share = (countOf(this.taken, key) + countOf(this.promised, key)) / queue.weight;
    const turn = this.virtualTimeOf(queue.proposal);
    const changed = share !== queue.share || turn !== queue.turn;
    queue.share = share;
    queue.turn = turn;
    return changed;
  }

  /** Starts the run, or records the limit that blocks it. */
  process(waiter: Waiter): void {
    const claims = claimsOf(waiter, this.policy);
    const quotas = quotasOf(waiter, this.policy);
    const full = this.fullOf(waiter, claims, quotas);
    if (full !== undefined) {
      this.block(waiter, full);
      return;
    }
    for (const { key } of claims) addOne(this.taken, key);
    for (const { key } of quotas) addOne(this.started, key);
    this.triedNodes.add(waiter.nodes);
    this.turn = this.virtualTimeOf(waiter.proposal);
    this.advanceVirtualTime(waiter);
    const nextTurn = this.virtualTimeOf(waiter.proposal);
    this.start.push({ run: waiter, claims, quotas, nextTurn, turn: this.turn });
  }

  wait(): readonly QueuedRun[] {
    return this.blocked.map(({ limitQueue, ...queued }) => ({
      ...queued,
      of: limitQueue.count,
      oldestSince: limitQueue.oldest,
    }));
  }

  private fullOf(waiter: Waiter, claims: readonly SlotClaim[], quotas: readonly SlotClaim[]): SlotClaim | undefined {
    const { nodes } = waiter;
    const usedUpQuota = quotas.find(({ key, limit }) => limit > 0 && countOf(this.started, key) >= limit);
    const full = usedUpQuota ?? claims.find(({ key, limit }) => limit > 0 && countOf(this.taken, key) >= limit);
    if (full !== undefined) return full;
    const noRoom = this.census.noRoom.includes(nodes) && this.triedNodes.has(nodes);
    return noRoom ? { key: `class:${nodes}`, limit: 0 } : undefined;
  }

  private block(waiter: Waiter, full: SlotClaim): void {
    const limitQueue = this.limitQueues.get(full.key) ?? { count: 0, oldest: waiter.since };
    limitQueue.count += 1;
    limitQueue.oldest = Math.min(limitQueue.oldest, waiter.since);
    this.limitQueues.set(full.key, limitQueue);
    this.blocked.push({ run: waiter, full, position: limitQueue.count, limitQueue });
    if (!isShared(full)) return;
    // It will get a slot before those that come after it in the queue.
    addOne(this.promised, shareKey(waiter.nodes, waiter.proposal));
    this.advanceVirtualTime(waiter);
  }

  private virtualTimeOf(proposal: string): number {
    return Math.max(this.turns.get(proposal) ?? 0, this.turn);
  }

  private advanceVirtualTime({ proposal }: Waiter): void {
    this.turns.set(proposal, this.virtualTimeOf(proposal) + 1 / weightOf(this.policy.shares, proposal));
  }
}

/**
 * Returns the runs that may start now, in order, and the position of all others. Priority comes first, then the smallest share of the slots
 * for the proposal's weight, then virtual time, then, inside a proposal, the session that was submitted first. A run that is blocked by its
 * own limit blocks no other run. Pure: the same census, waiters and policy give the same result, in whatever order they are passed.
 */
export const nextToLaunch = (census: Census, waiters: readonly Waiter[], policy: LaunchPolicy): NextToLaunch => {
  const assignment = new SlotAssignment(census, policy);
  const heap = new Heap<Queue>(byClaim);
  for (const queue of queuesOf(census, waiters, policy.shares)) {
    assignment.refresh(queue);
    heap.push(queue);
  }
  for (let queue = heap.pop(); queue !== undefined; queue = heap.pop()) {
    if (assignment.refresh(queue) && heap.peek() !== undefined) {
      heap.push(queue);
      continue;
    }
    assignment.process(queue.head);
    queue.processed += 1;
    const next = queue.waiters[queue.processed];
    if (next === undefined) continue;
    queue.head = next;
    heap.push(queue);
  }
  return { start: assignment.start, wait: assignment.wait() };
};
