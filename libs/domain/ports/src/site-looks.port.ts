import type { CheckupView, Finding, Trial } from '@fleet/contracts/administration';

export const SITE_LOOKS = Symbol('SiteLooks');

/** Milliseconds after which an unfinished trial is given up, and another one may be requested. */
export const trialWaitsMs = 900_000;

/** A trial that this executor has taken. */
export type WantedTrial = Pick<Trial, 'id'>;

/** Executors' findings about their site, for the gateway. Every implementation passes `siteLooksContract` in libs/testing. */
export interface SiteLooks {
  /** Replaces the last findings; they expire after an hour. */
  publish(look: CheckupView): Promise<void>;
  /** Undefined while no executor has checked recently. */
  look(): Promise<CheckupView | undefined>;
  /**
   * Requests a trial. One at a time: a waiting or running trial stays.
   * @param id of the new one, in small letters, digits and `-`
   * @param by the requester
   */
  askTrial(id: string, by: string): Promise<Trial>;
  /** The latest trial. */
  trial(): Promise<Trial | undefined>;
  /** Takes a waiting trial, or one whose executor has not reported within its lease. Undefined: there is none. */
  takeTrial(executor: string, leaseMs: number): Promise<WantedTrial | undefined>;
  /** Extends the lease of this executor. @returns false if another executor has taken the trial: then stop working on it */
  keepTrial(trial: WantedTrial, executor: string, leaseMs: number): Promise<boolean>;
  /** Stores the findings of a finished trial; those of a trial that was given up are discarded. */
  endTrial(trial: WantedTrial, findings: readonly Finding[]): Promise<void>;
}
