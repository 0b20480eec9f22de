export {
  assessmentPartSchema,
  assessmentParts,
  assessmentTitles,
  assessmentViewSchema,
  keptAssessmentSchema,
  type AssessmentPart,
  type AssessmentPartName,
  type AssessmentView,
  type KeptAssessment,
} from './assessment';
export {
  keptLogSummarySchema,
  logSummaryPartSchema,
  logSummaryParts,
  logSummaryTitles,
  logSummaryViewSchema,
  type KeptLogSummary,
  type LogSummaryPart,
  type LogSummaryPartName,
  type LogSummaryView,
} from './log-summary';
export type { UnsupportedNumber, WrittenPart } from './written-text';
export {
  operationSchema,
  promptSchema,
  promptsSchema,
  spentSchema,
  traceSchema,
  type Operation,
  type PromptsView,
  type PromptView,
  type Spent,
  type TraceView,
} from './trace';
export {
  replayedCycleSchema,
  replayResults,
  replaySchema,
  type Replay,
  type ReplayedCycle,
  type ReplayedStep,
} from './replay';
export { bandAt } from './quality-bands';
