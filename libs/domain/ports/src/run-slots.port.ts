import type { Claimant, Line, Nodes, SharedRun, SiteLimits, SlotClaim, Start } from '@fleet/fair-shares';

export const RUN_SLOTS = Symbol('RunSlots');

export type SlotAnswer =
  /** `before`: it already had its slot, so something of it may exist. */
  | { readonly taken: true; readonly before: boolean }
  /** It waits for this full claim; absent: none is full, but other runs wait too. */
  | { readonly taken: false; readonly full?: SlotClaim }
  /** Nothing changed: running programs must be counted first (`counted`). */
  | { readonly taken: false; readonly uncounted: true };

/**
 * Why a run waits:
 * - `in_line`: in the backend's queue; the backend notifies when it starts, and it keeps its slot;
 * - `no_room`: the backend has no room for it; it waits here, and one run at a time is tried on its class of nodes;
 * - `held`: launches are not open; it waits here;
 * - `stuck`: its state is unknown because the backend does not respond; it keeps its slot, if any, and is retried.
 */
export type WaitKind = 'in_line' | 'no_room' | 'held' | 'stuck';

/** Slots and waiting runs at one moment. */
export interface RunCensus {
  /** Runs that hold a slot, by key. */
  readonly taken: Readonly<Record<string, number>>;
  readonly waiting: number;
  /** ISO 8601; start of the longest wait. */
  readonly oldestWaitingSince?: string;
}

/** Everything that decides which run starts next, at one moment. */
export interface QueueSnapshot extends Line {
  /** A grant based on this snapshot names it: the grant is refused if other slots were granted meanwhile. */
  readonly revision: number;
  /** How long recent programs held their slot, in milliseconds, by class of nodes; absent until one has ended. */
  readonly typicalMs: Readonly<Partial<Record<Nodes, number>>>;
  /** The executors' capacity; absent until running programs were counted. */
  readonly site?: SiteLimits;
}

/**
 * Slots for runs and the queue of those that wait, shared by all executors. Only an index of the session records: any reader removes a member
 * whose record no longer executes that attempt, so a crash between the two costs a slot only briefly. `nextToLaunch` decides which run is
 * next; this port enforces that no limit is exceeded. Every implementation passes `runSlotsContract` in libs/testing.
 */
export interface RunSlots {
  /**
   * Takes one of every claim if none is full and no run waits; otherwise the run waits here, since its first request. A run keeps its slot,
   * so repeated requests are harmless; for a waiting run the last request counts, also for its priority.
   * @param countedWithinMs maximum age of the last count of running programs
   */
  ask(claimant: Claimant, countedWithinMs: number): Promise<SlotAnswer>;
  line(): Promise<QueueSnapshot>;
  /**
   * Grants slots to waiting runs, each if its limits allow it, and makes their sessions due now.
   * @returns the names of those that now have one; undefined when slots were granted since `revision`: take a new snapshot
   */
  grant(starts: readonly Start[], revision: number): Promise<readonly string[] | undefined>;
  /** Records that this run exists, whatever the limits: it has its slot, and no longer waits. */
  running(claimant: Claimant): Promise<void>;
  waiting(run: SharedRun, kind: WaitKind): Promise<void>;
  /** Removes a run of which nothing is left. Idempotent. @returns whether others wait for a slot */
  release(name: string): Promise<boolean>;
  /** Runs to be retried because their state is unknown. */
  stuck(): Promise<readonly string[]>;
  /** Names of all runs that have a slot or wait, to find obsolete ones. */
  members(): Promise<readonly string[]>;
  /**
   * Confirms that the members were compared with the records: the counts are rebuilt from the members.
   * @param site capacity, shown with the queue
   */
  counted(site: SiteLimits): Promise<void>;
  census(): Promise<RunCensus>;
}
