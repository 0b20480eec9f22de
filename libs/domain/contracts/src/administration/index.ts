export { type Recovered, type RecoveryReport, type Untrusted } from './recovery';
export {
  type CheckupView,
  type Finding,
  type FindingLevel,
  type Trial,
  type TrialAnswer,
  type TrialState,
} from './doctor';
