export type { Condition, Facts } from './conditions';
export { factsOf, holds } from './condition-evaluation';
export { fillKnownTemplate, fillTemplate } from './templates';
export { metricFact, type FactSheet } from './fact-names';
export type {
  BestFileScoring,
  GeometryRule,
  LigandEvidenceRules,
  MetricDefinition,
  MetricPattern,
  QualityBand,
  SummaryDisplay,
  JudgedRule,
  SubmittedRule,
  TableName,
} from './metric-knowledge';
export type { PlacementRules, PlacementVerdict } from './placement-knowledge';
export type { FileCategory } from './file-knowledge';
export { knownErrorIn } from './error-knowledge';
export type { ErrorClass, ErrorKnowledge, KnownError, LabelKnowledge, RecoverableError } from './error-knowledge';
export {
  compoundParameter,
  joinedSlots,
  type AutoFill,
  type DefaultParameter,
  type FillValue,
  type InputSlot,
  type ProgramGroup,
  type ProgramKnowledge,
  type ProgramResources,
  type StrategyKey,
} from './program-knowledge';
export type { SanityCheck, StepProgram, TrendDefinition, WorkflowKnowledge, WorkflowStep } from './workflow-knowledge';
export { atomicNumber } from './chemical-elements';
export { isOwnParameter, textTypes, type ParameterType } from './parameter-type';
export {
  allowedValues,
  isSameParameter,
  problemWithValue,
  problemWithRequest,
  strategyKeyNamed,
  symbolsIn,
} from './parameter-values';
export { checkSettings, problemWithSetting } from './settings-check';
export type { FieldLimit, MarkedCharacter, TransportKnowledge } from './transport-knowledge';
export type { KnowledgeFile, RuleBook } from './rule-book';
export { parseRuleBook } from './parse-rule-book';
export {
  cueNames,
  type AdviceKnowledge,
  type AdviceSetting,
  type CueName,
  type ProgramWords,
} from './advice-knowledge';
