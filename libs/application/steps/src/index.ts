export { endSession } from './end-session';
export { installedPrograms } from './installed-programs';
export { runStep } from './run-step';
export type { Move, Next, SessionStep, StepOfSession } from './session-step';
export { SessionMutex } from './session-mutex';
export { STEP_PORTS, stepPortsProvider, type StepPorts } from './step-ports';
export {
  gateDueMs,
  laterRetryMs,
  modelDueMs,
  noRoomDueMs,
  runningDueMs,
  slowCancelMs,
  stepDueMs,
  tellAfterMs,
  tellAgainMs,
  wantedMs,
} from './times';
