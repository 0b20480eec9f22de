import type { SharesState } from '@fleet/contracts/launches';

export const SHARES_CONTROL = Symbol('SharesControl');

/**
 * How slots are shared: the administrator's setting for all executors. Every implementation passes `sharesControlContract` in libs/testing.
 */
export interface SharesControl {
  /** Undefined: no administrator has changed it, and the settings of the installation apply. */
  read(): Promise<SharesState | undefined>;
  /** Replaces the whole setting. */
  set(state: Omit<SharesState, 'since'>): Promise<SharesState>;
}
