export { RecoverOnRequest, type RecoveryPorts } from './recover-on-request';
export { recoverSessions } from './recover-sessions';
