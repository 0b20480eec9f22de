import type { LaunchState } from '@fleet/contracts';

export const LAUNCH_CONTROL = Symbol('LaunchControl');

/** Whether programs may be launched, for all executors. Every implementation passes `launchControlContract` in libs/testing. */
export interface LaunchControl {
  read(): Promise<LaunchState>;
  /** Takes effect for every launch that takes its place (`RunSlots.take`) afterwards. Saying the same mode again keeps `since`. */
  set(state: Omit<LaunchState, 'since'>): Promise<LaunchState>;
}
