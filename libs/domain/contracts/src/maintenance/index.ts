export {
  mostMaintenanceDays,
  mostMaintenanceWindows,
  usualDrainMinutes,
  type MaintenanceView,
  type MaintenanceWindow,
} from './maintenance';
export { drainsFrom, launchesAt, maintenancePhase, shownWindows, type MaintenancePhase } from './maintenance-times';
