/** The words of the project as types; docs/glossary.md defines each. */
export {
  currentCycle,
  analysedCycles,
  isEnded,
  sessionIdPattern,
  sessionSchema,
  sessionStatuses,
  stages,
  statusOfStopReason,
  type EndedStatus,
  type Session,
  type SessionFit,
  type SessionHead,
  type SessionRequest,
  type SessionStatus,
  type SessionSteering,
  type SessionStop,
  type Stage,
  type StatedRecovery,
  type StopReason,
} from './session';
export { submitted } from './submission';
export { parseDirectives } from './parse-directives';
export { mistakesIn, type Mistake } from './check';
export { withDefaults } from './defaults';
export {
  directivesSchema,
  filePreferencesSchema,
  stopConditionsSchema,
  workflowPreferencesSchema,
  type FilePreferences,
  type ProgramSettings,
  type SessionDirectives,
  type StopConditions,
  type WorkflowPreferences,
} from './directives';
export { settingDefinitions, type SessionSettings, type SettingDefinition } from './settings';
export {
  fileFormats,
  type FileFacts,
  type FileFormat,
  type FilePin,
  type MapFacts,
  type ModelFacts,
  type SequenceFacts,
  type MtzFacts,
  type MtzObservation,
  type SessionFile,
  type UnitCell,
} from './file-facts';
export {
  endingKinds,
  metricValue,
  type AttemptEnding,
  type AttemptResources,
  type AttemptRecord,
  type CycleRecord,
  type CycleResult,
  type DecisionRecord,
  type EndingKind,
  type ExperimentType,
  type Metric,
  type NotOffered,
  type WaitingAttempt,
} from './cycle';
export {
  decisionEventLevels,
  eventLevels,
  lifecycleEventLevels,
  type EventType,
  type JsonValue,
  type SessionEvent,
  type StoredEvent,
  type Verbosity,
} from './events';
export {
  jobNames,
  queuePolicies,
  Queues,
  type JobMap,
  type JobName,
  type PayloadOf,
  type QueueName,
  type QueuePolicy,
  type ResultOf,
  type StepPayload,
  type StepResult,
} from './queues';
export { attemptFiles, attemptFolder, isExecutorFile, runningSuffix } from './attempt-files';
export { attemptName, attemptOfName, cycleFolder, stepOf, wakeUpId, type Step } from './steps';
export type {
  ApiProblem,
  BestFileView,
  EventsView,
  OutputFile,
  ProblemDetails,
  ProgramsView,
  ProgramView,
  ResultMetric,
  ResultsView,
  SessionLinks,
  SessionView,
  SettingsView,
} from './answers';
export { idempotencyKeyPattern } from './idempotency';
export { Fault, isFault, type FaultKind, type FieldProblem } from './fault';
export type { BackendName, InstalledProgram, ProgramCatalogue, ProgramProvider } from './programs';
export type { StrategyValue } from './schema-fields';
export { strikesOfOrphan } from './orphans';
export { releaseVersion } from './release';
export { editDistance, nearestName } from './nearest-name';
