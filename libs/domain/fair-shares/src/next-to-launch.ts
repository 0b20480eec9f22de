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

/** A run that has no place. */
export interface Waiter extends SharedRun {
  /** Milliseconds since the epoch; since when it waits. */
  readonly since: number;
  /** Grows with each run that begins to wait: who came first, where times are equal. */
  readonly arrival: number;
}

/** What is running, and what was started, at one moment. */
export interface Census {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Runs that hold a place, by the key of what they claim (`claimsOf`). */
  readonly taken: Readonly<Record<string, number>>;
  /** Programs started today (UTC), by the key of the quota (`quotasOf`). */
  readonly started: Readonly<Record<string, number>>;
  /** When each proposal's turn is, in starts divided by weight; absent: it has not started anything for long. */
  readonly turns: Readonly<Record<string, number>>;
  /** The turn of what was started last: nobody's turn is earlier, so that nobody saves up turns. */
  readonly turn: number;
  /** Classes of nodes on which the backend had no room for the run that was tried last: there one at a time tries again. */
  readonly noRoom: readonly Nodes[];
}

export interface Start {
  readonly run: Waiter;
  readonly claims: readonly SlotClaim[];
  readonly quotas: readonly SlotClaim[];
  /** When its proposal's turn is next, and where the turns stand now. */
  readonly nextTurn: number;
  readonly turn: number;
}

/** Where a run that has to wait stands. */
export interface QueuedRun {
  readonly run: Waiter;
  /** What stands in the way; the limit 0: the backend has no room. */
  readonly full: SlotClaim;
  /** From 1, among those that the same thing stands in the way of. */
  readonly position: number;
  /** How many wait for it. */
  readonly of: number;
  /** Milliseconds since the epoch: since when the one waits for it that waits longest. */
  readonly oldestSince: number;
}

export interface NextToLaunch {
  /** In the order in which they start. */
  readonly start: readonly Start[];
  readonly wait: readonly QueuedRun[];
}

/** What the store knows of runs, as `nextToLaunch` is given it. */
export interface Line {
  readonly census: Census;
  readonly waiters: readonly Waiter[];
}

const ranks = { live: 0, standard: 1, backfill: 2 } as const;
const hourMs = 3_600_000;

/** Backfill that was submitted long ago is standard. */
const rankOf = ({ priority, submittedAt }: Waiter, now: number, { backfillWaitsHours }: SharesPolicy): number =>
  priority === 'backfill' && now - submittedAt >= backfillWaitsHours * hourMs ? ranks.standard : ranks[priority];

/** Those of one proposal that compete alike, the session that was submitted first in front. */
interface Queue {
  readonly rank: number;
  readonly nodes: Nodes;
  readonly proposal: string;
  readonly weight: number;
  readonly waiters: Waiter[];
  /** The first of them that was not looked at yet, and how many were. */
  head: Waiter;
  looked: number;
  /** Its share of the slots and its turn when it was put into the heap: both only grow. */
  share: number;
  turn: number;
}

const byName = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
const bySubmission = (a: Waiter, b: Waiter): number =>
  a.submittedAt - b.submittedAt || a.arrival - b.arrival || byName(a.name, b.name);

/** Who goes first: priority; then the smallest share for its weight; then whose turn it is; then the session that was submitted first. */
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
      queues.set(key, { rank, nodes, proposal, weight, waiters: [waiter], head: waiter, looked: 0, share: 0, turn: 0 });
    }
  }
  for (const queue of queues.values()) {
    queue.waiters.sort(bySubmission);
    queue.head = queue.waiters[0] ?? queue.head;
  }
  return [...queues.values()];
};

/** Limits that all compete for; any other is the proposal's, the user's or the priority's own. */
const isShared = ({ key }: SlotClaim): boolean => ['all', 'class'].includes(claimOf(key).kind);

const countOf = (counts: ReadonlyMap<string, number>, key: string): number => counts.get(key) ?? 0;
const addOne = (counts: Map<string, number>, key: string): void => void counts.set(key, countOf(counts, key) + 1);

/** Those that the same thing stands in the way of. */
interface Held {
  count: number;
  oldest: number;
}
type HeldRun = Pick<QueuedRun, 'run' | 'full' | 'position'> & { readonly line: Held };

/** Deals out places one by one; what is dealt out changes what follows. */
class Deal {
  readonly start: Start[] = [];
  private readonly held: HeldRun[] = [];
  private readonly lines = new Map<string, Held>();
  private readonly taken: Map<string, number>;
  private readonly started: Map<string, number>;
  private readonly turns: Map<string, number>;
  /** Places that those in line before will have, by proposal and class of nodes. */
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

  /** @returns whether its claim has changed since it was put there: then it has to be put there again */
  refresh(queue: Queue): boolean {
    const key = shareKey(queue.nodes, queue.proposal);
    const share = (countOf(this.taken, key) + countOf(this.promised, key)) / queue.weight;
    const turn = this.turnOf(queue.proposal);
    const changed = share !== queue.share || turn !== queue.turn;
    queue.share = share;
    queue.turn = turn;
    return changed;
  }

  /** Starts it or says what stands in its way. */
  look(waiter: Waiter): void {
    const claims = claimsOf(waiter, this.policy);
    const quotas = quotasOf(waiter, this.policy);
    const full = this.fullOf(waiter, claims, quotas);
    if (full !== undefined) {
      this.hold(waiter, full);
      return;
    }
    for (const { key } of claims) addOne(this.taken, key);
    for (const { key } of quotas) addOne(this.started, key);
    this.triedNodes.add(waiter.nodes);
    this.turn = this.turnOf(waiter.proposal);
    this.takeTurn(waiter);
    const nextTurn = this.turnOf(waiter.proposal);
    this.start.push({ run: waiter, claims, quotas, nextTurn, turn: this.turn });
  }

  wait(): readonly QueuedRun[] {
    return this.held.map(({ line, ...queued }) => ({ ...queued, of: line.count, oldestSince: line.oldest }));
  }

  private fullOf(waiter: Waiter, claims: readonly SlotClaim[], quotas: readonly SlotClaim[]): SlotClaim | undefined {
    const { nodes } = waiter;
    const spent = quotas.find(({ key, limit }) => limit > 0 && countOf(this.started, key) >= limit);
    const full = spent ?? claims.find(({ key, limit }) => limit > 0 && countOf(this.taken, key) >= limit);
    if (full !== undefined) return full;
    const noRoom = this.census.noRoom.includes(nodes) && this.triedNodes.has(nodes);
    return noRoom ? { key: `class:${nodes}`, limit: 0 } : undefined;
  }

  private hold(waiter: Waiter, full: SlotClaim): void {
    const line = this.lines.get(full.key) ?? { count: 0, oldest: waiter.since };
    line.count += 1;
    line.oldest = Math.min(line.oldest, waiter.since);
    this.lines.set(full.key, line);
    this.held.push({ run: waiter, full, position: line.count, line });
    if (!isShared(full)) return;
    // It will have a place before those that come after it in line.
    addOne(this.promised, shareKey(waiter.nodes, waiter.proposal));
    this.takeTurn(waiter);
  }

  private turnOf(proposal: string): number {
    return Math.max(this.turns.get(proposal) ?? 0, this.turn);
  }

  private takeTurn({ proposal }: Waiter): void {
    this.turns.set(proposal, this.turnOf(proposal) + 1 / weightOf(this.policy.shares, proposal));
  }
}

/**
 * Who may start now, in order, and where everybody else stands. Priority comes first, then the smallest share of the slots for the
 * proposal's weight, then turns; inside a proposal the session that was submitted first. A run that its own limit keeps back keeps
 * nobody else back. Pure: the same census, waiters and policy give the same answer, whatever the order they are given in.
 */
export const nextToLaunch = (census: Census, waiters: readonly Waiter[], policy: LaunchPolicy): NextToLaunch => {
  const deal = new Deal(census, policy);
  const heap = new Heap<Queue>(byClaim);
  for (const queue of queuesOf(census, waiters, policy.shares)) {
    deal.refresh(queue);
    heap.push(queue);
  }
  for (let queue = heap.pop(); queue !== undefined; queue = heap.pop()) {
    if (deal.refresh(queue) && heap.peek() !== undefined) {
      heap.push(queue);
      continue;
    }
    deal.look(queue.head);
    queue.looked += 1;
    const next = queue.waiters[queue.looked];
    if (next === undefined) continue;
    queue.head = next;
    heap.push(queue);
  }
  return { start: deal.start, wait: deal.wait() };
};
