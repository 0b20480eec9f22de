/** The words of the project as types; docs/glossary.md defines each. */
export {
  currentCycle,
  analysedCycles,
  isEnded,
  sessionHeadSchema,
  sessionIdPattern,
  sessionRequestSchema,
  sessionSchema,
  sessionStatuses,
  sessionStopSchema,
  stages,
  statusOfStopReason,
  type EndedStatus,
  type Session,
  type SessionHead,
  type SessionRequest,
  type SessionStatus,
  type SessionSteering,
  type SessionStop,
  type Stage,
  type StatedRecovery,
  type StopReason,
} from './session';
export {
  adviceChangeSchema,
  cycleRemovalOf,
  cycleRemovalSchema,
  longestAdvice,
  readingWishSchema,
  resumptionSchema,
  submissionSchema,
  submitted,
  type CycleRemoval,
  type Resumption,
  type Submission,
} from './submission';
export {
  recoveredSchema,
  recoveryReportSchema,
  recoveryWishSchema,
  untrustedSchema,
  type Recovered,
  type RecoveryReport,
  type RecoveryWish,
  type Untrusted,
} from './recovery';
export {
  adviceInForce,
  directivesInForce,
  guidanceOf,
  settingsInForce,
  steeringInForce,
  type GuidedSession,
} from './directives-in-force';
export {
  adviceReadingSchema,
  emptyReading,
  guidanceSchema,
  type AdviceReading,
  type AdviceSource,
  type Guidance,
} from './guidance';
export { mergedDirectives } from './merged-directives';
export { parseDirectives } from './parse-directives';
export { isDescribed, mistakesIn, type Mistake } from './check';
export { shown } from './allowed';
export {
  anyObject,
  choice,
  exactly,
  integer,
  list,
  number,
  record,
  text,
  type Described,
  type JsonSchema,
  type Schema,
} from './schema';
export { withDefaults } from './defaults';
export { withoutMistakes } from './without-mistakes';
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
export {
  settingDefinitions,
  settingsSchema,
  settingsWishSchema,
  type SessionSettings,
  type SettingDefinition,
} from './settings';
export {
  fileFactsSchema,
  fileFormats,
  filePinSchema,
  sessionFileSchema,
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
  attemptSchema,
  cycleResultSchema,
  cycleSchema,
  decisionSchema,
  endingKinds,
  endingSchema,
  metricSchema,
  metricValue,
  notOfferedSchema,
  resourcesSchema,
  waitingAttemptSchema,
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
  sessionFitSchema,
  type SessionFit,
} from './cycle';
export {
  decisionEventLevels,
  eventLevels,
  lifecycleEventLevels,
  storedEventSchema,
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
  stepPayloadSchema,
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
export {
  apiProblemSchema,
  bestFileSchema,
  eventsViewSchema,
  outputFileSchema,
  problemDetailsSchema,
  programsViewSchema,
  programViewSchema,
  resultMetricSchema,
  resultsViewSchema,
  sessionLinksSchema,
  sessionPageSchema,
  sessionRowSchema,
  sessionViewSchema,
  settingsViewSchema,
  type ApiProblem,
  type BestFileView,
  type EventsView,
  type OutputFile,
  type ProblemDetails,
  type ProgramsView,
  type ProgramView,
  type ResultMetric,
  type ResultsView,
  type SessionLinks,
  type RowProgress,
  type SessionPage,
  type SessionRow,
  type SessionView,
  type SettingsView,
} from './answers';
export {
  adminViewSchema,
  knownOrphanSchema,
  launchModes,
  launchStateSchema,
  launchWishSchema,
  orphansViewSchema,
  removalViewSchema,
  type AdminView,
  type KnownOrphan,
  type LaunchMode,
  type LaunchState,
  type LaunchWish,
  type OrphansView,
  type RemovalView,
} from './administration';
export { idempotencyKeyPattern } from './idempotency';
export { runSpecSchema, type RunInput, type RunOwner, type RunParameterFile, type RunSpec } from './runs';
export {
  errnoOf,
  failureText,
  Fault,
  isFault,
  isPassing,
  isTransient,
  type FaultKind,
  type FieldProblem,
} from './fault';
export {
  programCatalogueSchema,
  type BackendName,
  type InstalledProgram,
  type ProgramCatalogue,
  type ProgramProvider,
} from './programs';
export { count, time, type StrategyValue } from './schema-fields';
export { strikesOfOrphan } from './orphans';
export { releaseVersion } from './release';
export { editDistance, nearestName } from './nearest-name';
