export { emptyReading, type AdviceReading, type AdviceSource, type Guidance, type ModelReading } from './guidance';
export { mergedDirectives } from './merged-directives';
export { parseDirectives } from './parse-directives';
export { type FilePreferences, type ProgramSettings, type SessionDirectives, type StopConditions } from './directives';
export { longestAdvice } from './guidance';
