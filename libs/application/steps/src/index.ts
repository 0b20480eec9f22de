export { endSession } from './end-session';
export { installedPrograms } from './installed-programs';
export { makeStepPorts } from './make-step-ports';
export {
  runStep,
  STEP_PORTS,
  type Move,
  type Next,
  type SessionStep,
  type StepOfSession,
  type StepPorts,
} from './run-step';
export { SessionKeeper } from './session-keeper';
export { SessionTurns } from './session-turns';
export {
  gateDueMs,
  laterRetryMs,
  noRoomDueMs,
  runningDueMs,
  slowCancelMs,
  stepDueMs,
  tellAfterMs,
  tellAgainMs,
  wantedMs,
} from './times';
