import type { LaunchState } from '@fleet/contracts/launches';
import { maintenancePhase, type MaintenanceWindow } from '@fleet/contracts/maintenance';

/** Programs are launched until an administrator sets another mode. */
export const openLaunches: LaunchState = { mode: 'open', reason: '', by: '', since: '' };

/** The new state, with the time since which its mode holds. */
export const asSaid = (
  said: Omit<LaunchState, 'since' | 'maintenance'>,
  before: LaunchState,
  now: string,
): LaunchState => ({
  ...said,
  since: before.mode === said.mode && before.since !== '' ? before.since : now,
});

/** Current and future windows, the next first. */
export const windowsAhead = (windows: readonly MaintenanceWindow[], now: number): readonly MaintenanceWindow[] =>
  windows
    .filter((window) => maintenancePhase(window, now) !== 'over')
    .sort((a, b) => Date.parse(a.from) - Date.parse(b.from) || (a.id < b.id ? -1 : 1));
