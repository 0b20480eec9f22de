export { recoverSessions, type RecoveryDependencies, type Trust } from './recover-sessions';
