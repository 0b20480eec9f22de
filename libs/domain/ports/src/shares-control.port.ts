import type { SharesState } from '@fleet/contracts/launches';

export const SHARES_CONTROL = Symbol('SharesControl');

/** How slots are shared, as an administrator has said it for all executors. Every implementation passes `sharesControlContract` in libs/testing. */
export interface SharesControl {
  /** Undefined: nobody has said anything, and the settings of the installation hold. */
  read(): Promise<SharesState | undefined>;
  /** Takes the place of all that was said before. */
  set(state: Omit<SharesState, 'since'>): Promise<SharesState>;
}
