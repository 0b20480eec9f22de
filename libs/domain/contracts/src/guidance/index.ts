export {
  adviceReadingSchema,
  emptyReading,
  guidanceSchema,
  type AdviceReading,
  type AdviceSource,
  type Guidance,
  type ModelReading,
} from './guidance';
export { mergedDirectives } from './merged-directives';
export { parseDirectives } from './parse-directives';
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
export { longestAdvice } from './guidance';
