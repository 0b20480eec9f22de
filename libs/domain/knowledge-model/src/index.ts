export type { Condition, Facts } from './conditions';
export { factsOf, holds } from './condition-evaluation';
export { fillKnownTemplate, fillTemplate } from './templates';
export { factNames, metricFact, sessionFacts, shortName, type FactSheet } from './fact-names';
export type {
  BestFileScoring,
  GeometryRule,
  GeometryRules,
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
export type {
  ErrorClass,
  ErrorKnowledge,
  KnownError,
  LabelKnowledge,
  RecoverableError,
  RecoveryAction,
} from './error-knowledge';
export {
  compoundParameter,
  joinedSlots,
  programGroups,
  type AutoFill,
  type DefaultParameter,
  type DoneProduct,
  type DoneTracking,
  type FillValue,
  type InputSlot,
  type ParameterFile,
  type ProgramGroup,
  type ProgramKnowledge,
  type ProgramResources,
  type Requirement,
  type StrategyKey,
} from './program-knowledge';
export type {
  FactDefinition,
  RefinementProgram,
  SanityCheck,
  StepProgram,
  StepRule,
  StopRule,
  TrendDefinition,
  WorkflowKnowledge,
  WorkflowStep,
} from './workflow-knowledge';
export { atomicNumber } from './chemical-elements';
export { isOwnParameter, textTypes, type ParameterType, type TextTypeName } from './parameter-type';
export {
  allowedValues,
  isSameParameter,
  problemWithValue,
  problemWithRequest,
  strategyKeyNamed,
  type ValueProblem,
  symbolsIn,
} from './parameter-values';
export { checkSettings, problemWithSetting, type CheckedSettings } from './settings-check';
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
