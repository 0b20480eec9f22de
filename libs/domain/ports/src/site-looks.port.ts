import type { CheckupView, Finding, Trial } from '@fleet/contracts/administration';

export const SITE_LOOKS = Symbol('SiteLooks');

/** Milliseconds after which a trial that has not ended is given up, and another one may be asked for. */
export const trialWaitsMs = 900_000;

/** A trial that this executor has taken. */
export type WantedTrial = Pick<Trial, 'id'>;

/** What executors have seen of their site, for those who ask the gateway. Every implementation passes `siteLooksContract` in libs/testing. */
export interface SiteLooks {
  /** The last one counts; it is forgotten after an hour. */
  publish(look: CheckupView): Promise<void>;
  /** Undefined while no executor has looked recently. */
  look(): Promise<CheckupView | undefined>;
  /**
   * Asks for a trial. One at a time: where one waits or runs, that one stays.
   * @param id of the new one, in small letters, digits and `-`
   * @param by who asks
   */
  askTrial(id: string, by: string): Promise<Trial>;
  /** The last one. */
  trial(): Promise<Trial | undefined>;
  /**
   * Takes the one that waits, or whose executor has said nothing for so long: it is nobody else's for so many milliseconds.
   * Undefined: there is none.
   */
  takeTrial(executor: string, leaseMs: number): Promise<WantedTrial | undefined>;
  /** It is this executor's for so many milliseconds more. @returns false where it is not its any more: it is to be left alone */
  keepTrial(trial: WantedTrial, executor: string, leaseMs: number): Promise<boolean>;
  /** It has ended so. Of one that was given up nothing is kept. */
  endTrial(trial: WantedTrial, findings: readonly Finding[]): Promise<void>;
}
