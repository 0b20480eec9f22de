export {
  aCycle,
  aDecision,
  aFile,
  aMetric,
  aNewSession,
  anAttempt,
  anEvent,
  anId,
  aRequest,
  aResult,
  aSession,
  someSettings,
} from './builders';
export { ManualClock } from './manual-clock';
