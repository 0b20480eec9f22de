export const RUN_SLOTS = Symbol('RunSlots');

/** A count that a run takes part in. */
export interface SlotClaim {
  /** For example `all`, `class:gpu` or `proposal:mx1234`. */
  readonly key: string;
  /** Most runs that may hold it at once; 0: no limit, it is only counted. */
  readonly limit: number;
}

export type SlotResult =
  /** `before`: it had its place already, so that something of it may exist. */
  | { readonly taken: true; readonly before: boolean }
  /** Nothing was taken; this claim stood in the way. */
  | { readonly taken: false; readonly full: SlotClaim };

/** Who has a place and who waits, at one moment. */
export interface RunCensus {
  /** Runs that hold a place, by key. */
  readonly taken: Readonly<Record<string, number>>;
  readonly waiting: number;
  /** ISO 8601; since when the one waits that waits longest. */
  readonly oldestWaitingSince?: string;
}

/**
 * Places for runs, shared by all executors: what the limits are counted with. An index of what the session records say, never more:
 * a member whose record does not execute that attempt any more is taken out by whoever looks next, so that a crash between the two
 * costs a place for a moment only. Every implementation passes `runSlotsContract` in libs/testing.
 */
export interface RunSlots {
  /** Takes one of every claim, or none. A run that has its place keeps it: taking it again is harmless. */
  take(name: string, claims: readonly SlotClaim[]): Promise<SlotResult>;
  /** This run is there, whatever the limits say: it has its place, and waits no more. */
  running(name: string, claims: readonly SlotClaim[]): Promise<void>;
  /** This run waits; since the first time that this was said. It keeps its place, if it has one, only where it stands in line on the backend. */
  waiting(name: string, place: 'kept' | 'given_back'): Promise<void>;
  /** Nothing is left of this run. Idempotent. */
  release(name: string): Promise<void>;
  /** Every name that has a place or waits: to find members that should not. */
  members(): Promise<readonly string[]>;
  census(): Promise<RunCensus>;
}
