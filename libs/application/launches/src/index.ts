export { ChangeLaunches } from './change-launches';
export { CurrentShares } from './current-shares';
export { ExpectedWaits, type NewRun } from './expected-waits';
export type { LaunchPorts } from './launch-ports';
export { MaintenanceWindows } from './maintenance-windows';
