import type { LaunchState } from '@fleet/contracts/launches';
import type { MaintenanceWindow } from '@fleet/contracts/maintenance';

export const LAUNCH_CONTROL = Symbol('LaunchControl');

/** Whether programs may be launched, for all executors. Every implementation passes `launchControlContract` in libs/testing. */
export interface LaunchControl {
  /** The current state by the caller's clock, from the administrator's setting and maintenance windows (`launchesAt`). */
  read(): Promise<LaunchState>;
  /** The administrator's setting without maintenance windows. */
  said(): Promise<LaunchState>;
  /** Takes effect for every launch that takes its slot (`RunSlots.take`) afterwards. Setting the same mode again keeps `since`. */
  set(state: Omit<LaunchState, 'since' | 'maintenance'>): Promise<LaunchState>;
  /** Current and future maintenance windows, the next first. */
  windows(): Promise<readonly MaintenanceWindow[]>;
  /** Adds a window, and deletes past ones. */
  announce(window: MaintenanceWindow): Promise<void>;
  /** Replaces the window of this id. @returns false if it does not exist; it is not added */
  change(window: MaintenanceWindow): Promise<boolean>;
  /** @returns false if no window has this id */
  cancel(id: string): Promise<boolean>;
}
