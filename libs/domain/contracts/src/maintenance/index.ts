export {
  maintenanceChangeSchema,
  maintenanceViewSchema,
  maintenanceWindowSchema,
  maintenanceRequestSchema,
  mostMaintenanceDays,
  mostMaintenanceWindows,
  usualDrainMinutes,
  type MaintenanceChange,
  type MaintenanceView,
  type MaintenanceWindow,
  type MaintenanceRequest,
} from './maintenance';
export { drainsFrom, launchesAt, maintenancePhase, shownWindows, type MaintenancePhase } from './maintenance-times';
