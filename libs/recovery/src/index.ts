export { SessionKeeper } from './session-keeper';
export { recoverSessions, type RecoveryDependencies, type RecoveryReport } from './recover-sessions';
