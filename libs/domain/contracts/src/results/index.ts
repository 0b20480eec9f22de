export {
  assessmentParts,
  assessmentTitles,
  storedAssessmentSchema,
  type AssessmentPart,
  type AssessmentPartName,
  type AssessmentView,
  type StoredAssessment,
} from './assessment';
export {
  storedLogSummarySchema,
  logSummaryParts,
  logSummaryTitles,
  type StoredLogSummary,
  type LogSummaryPart,
  type LogSummaryPartName,
  type LogSummaryView,
} from './log-summary';
export type { UnsupportedNumber, WrittenPart } from './written-text';
export { type Operation, type PromptsView, type PromptView, type Spent, type TraceView } from './trace';
export { type Replay, type ReplayedCycle, type ReplayedStep } from './replay';
export { bandAt } from './quality-bands';
