/** Extracts metrics and causes of failure from the text of a program's log. Pure; the bytes are read elsewhere. */
export { LogReader, ProgramLogFormat, type LogReading } from './log-reader';
export { compilePattern } from './pattern-reader';
export { unsafeBecause } from './pattern-safety';
export { patternUnits, type PatternUnit } from './pattern-units';
export { failureOf, statesFailure, type Failure, type FailureEvidence } from './failure';
export { metricsOfReport, withoutMetricsReport } from './metrics-report';
