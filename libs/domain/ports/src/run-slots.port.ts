import type { Claimant, Line, Nodes, SharedRun, SiteLimits, SlotClaim, Start } from '@fleet/fair-shares';

export const RUN_SLOTS = Symbol('RunSlots');

export type SlotAnswer =
  /** `before`: it had its place already, so that something of it may exist. */
  | { readonly taken: true; readonly before: boolean }
  /** It waits: this claim is full; absent: none is, but others wait too. */
  | { readonly taken: false; readonly full?: SlotClaim }
  /** Nothing was done: what runs has to be counted first (`counted`). */
  | { readonly taken: false; readonly uncounted: true };

/**
 * How a run waits:
 * - `in_line`: on the backend, which tells when it starts; it keeps its place;
 * - `no_room`: the backend has no room for it; it waits here, and on its class of nodes one at a time is tried;
 * - `held`: launches are not open; it waits here;
 * - `stuck`: nobody knows what there is of it, for the backend does not answer; it keeps what place it has, and is tried again.
 */
export type WaitKind = 'in_line' | 'no_room' | 'held' | 'stuck';

/** Who has a place and who waits, at one moment. */
export interface RunCensus {
  /** Runs that hold a place, by key. */
  readonly taken: Readonly<Record<string, number>>;
  readonly waiting: number;
  /** ISO 8601; since when the one waits that waits longest. */
  readonly oldestWaitingSince?: string;
}

/** All that decides who starts next, at one moment. */
export interface QueueSnapshot extends Line {
  /** What a grant that follows from it names: it is refused where others were granted places meanwhile. */
  readonly revision: number;
  /** Milliseconds that a program has had its place lately, by class of nodes; absent while none has ended. */
  readonly typicalMs: Readonly<Partial<Record<Nodes, number>>>;
  /** What the executors have room for; absent while none has counted what runs. */
  readonly site?: SiteLimits;
}

/**
 * Places for runs and the line of those that wait for one, shared by all executors. An index of what the session records say, never
 * more: a member whose record does not execute that attempt any more is taken out by whoever looks next, so that a crash between the
 * two costs a place for a moment only. Who is next is decided by `nextToLaunch`; that no limit is exceeded is kept here, whatever was
 * decided. Every implementation passes `runSlotsContract` in libs/testing.
 */
export interface RunSlots {
  /**
   * Takes one of every claim where none is full and nobody waits; else the run waits here, since the first time that it asked. A run
   * that has its place keeps it: asking again is harmless, and one that waits does so as it asked last, with another priority too.
   * @param countedWithinMs what runs was counted so long ago at most
   */
  ask(claimant: Claimant, countedWithinMs: number): Promise<SlotAnswer>;
  line(): Promise<QueueSnapshot>;
  /**
   * Gives places to runs that wait, each if its limits allow it, and makes their sessions due now.
   * @returns the names of those that have one now; undefined when places were granted since `revision`: look again
   */
  grant(starts: readonly Start[], revision: number): Promise<readonly string[] | undefined>;
  /** This run is there, whatever the limits say: it has its place, and waits no more. */
  running(claimant: Claimant): Promise<void>;
  waiting(run: SharedRun, kind: WaitKind): Promise<void>;
  /** Nothing is left of this run. Idempotent. @returns whether others wait for a place */
  release(name: string): Promise<boolean>;
  /** Runs that are to be tried again because nobody knows what there is of them. */
  stuck(): Promise<readonly string[]>;
  /** Every name that has a place or waits: to find members that should not. */
  members(): Promise<readonly string[]>;
  /**
   * The records were compared with the members: counts are made again from the members, and hold from now on.
   * @param site told to those who show where runs stand
   */
  counted(site: SiteLimits): Promise<void>;
  census(): Promise<RunCensus>;
}
