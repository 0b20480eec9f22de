export { recoverSessions, type RecoveryDependencies, type RecoveryReport, type Trust } from './recover-sessions';
