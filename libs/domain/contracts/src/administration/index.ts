export {
  recoveredSchema,
  recoveryReportSchema,
  recoveryRequestSchema,
  untrustedSchema,
  type Recovered,
  type RecoveryReport,
  type RecoveryRequest,
  type Untrusted,
} from './recovery';
export {
  checkupSchema,
  findingLevels,
  findingSchema,
  trialAnswerSchema,
  trialSchema,
  type CheckupView,
  type Finding,
  type FindingLevel,
  type Trial,
  type TrialAnswer,
  type TrialState,
} from './doctor';
