import type { LaunchState } from '@fleet/contracts/launches';
import type { MaintenanceWindow } from '@fleet/contracts/maintenance';

export const LAUNCH_CONTROL = Symbol('LaunchControl');

/** Whether programs may be launched, for all executors. Every implementation passes `launchControlContract` in libs/testing. */
export interface LaunchControl {
  /** What holds now, by the clock of whoever asks: an administrator's word, and maintenance windows (`launchesAt`). */
  read(): Promise<LaunchState>;
  /** An administrator's word alone. */
  said(): Promise<LaunchState>;
  /** Takes effect for every launch that takes its place (`RunSlots.take`) afterwards. Saying the same mode again keeps `since`. */
  set(state: Omit<LaunchState, 'since' | 'maintenance'>): Promise<LaunchState>;
  /** Maintenance windows that are not over, the next first. */
  windows(): Promise<readonly MaintenanceWindow[]>;
  /** Adds a window, and forgets those that are over. */
  announce(window: MaintenanceWindow): Promise<void>;
  /** The window of this id is as given from now on. @returns false where there is none, and then there is none afterwards */
  change(window: MaintenanceWindow): Promise<boolean>;
  /** @returns false where there is no window of this id */
  cancel(id: string): Promise<boolean>;
}
