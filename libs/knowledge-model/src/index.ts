export type { Condition, Facts } from './conditions';
export type { BestFileScoring, MetricDefinition, MetricPattern, QualityBand } from './metric-knowledge';
export type { FileCategory } from './file-knowledge';
export type { ErrorKnowledge, KnownError } from './error-knowledge';
