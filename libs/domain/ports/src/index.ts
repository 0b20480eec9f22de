export {
  SESSION_STORE,
  type AdvanceResult,
  type NewSession,
  type NextPlace,
  type Reopening,
  type ReopenResult,
  type SessionFilter,
  type SessionName,
  type SessionPage,
  type SessionRow,
  type SessionStore,
  type Transition,
} from './session-store.port';
export {
  EXECUTION_BACKEND,
  type ExecutionBackend,
  type InventoryEntry,
  type RunInventory,
  type RunOwner,
  type RunPlace,
  type RunInput,
  type RunParameterFile,
  type RunSpec,
  type RunState,
} from './execution-backend.port';
export { FILE_INSPECTOR, type FileInspector, type FileOrigin } from './file-inspector.port';
export { CLOCK, isoTime, systemClock, type Clock } from './clock.port';
export {
  SESSION_FOLDER,
  type Authenticity,
  type PreparedSession,
  type ReadSession,
  type SessionFolderPort,
} from './session-folder.port';
export type { HealthProbe, HealthReport } from './health-probe.port';
export {
  LAUNCH_CONTROL,
  launchModes,
  type LaunchControl,
  type LaunchMode,
  type LaunchState,
} from './launch-control.port';
export { ORPHAN_REGISTER, type KnownOrphan, type Orphan, type OrphanRegister } from './orphan-register.port';
export type { AdminView, OrphansView, RemovalView } from './administration-views';
export { RUN_SLOTS, type RunCensus, type RunSlots, type SlotClaim, type SlotResult } from './run-slots.port';
