export { recoverSessions, type RecoveryDependencies, type RecoveryReport } from './recover-sessions';
