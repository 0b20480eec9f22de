import type { ExperimentType, StopReason } from '@fleet/contracts/sessions';
import type { AdviceKnowledge } from './advice-knowledge';
import type { ErrorKnowledge } from './error-knowledge';
import type { FileCategory } from './file-knowledge';
import type {
  BestFileScoring,
  GeometryRules,
  LigandEvidenceRules,
  MetricDefinition,
  SummaryDisplay,
} from './metric-knowledge';
import type { PlacementRules } from './placement-knowledge';
import type { ProgramKnowledge } from './program-knowledge';
import type { TransportKnowledge } from './transport-knowledge';
import type { StopWords, WorkflowKnowledge } from './workflow-knowledge';

/** Everything in `knowledge/`, validated. */
export interface RuleBook {
  /** SHA-256 of its files with their paths, hexadecimal; decisions name it as their knowledge. */
  readonly digest: string;
  /** By PHENIX's own name, in alphabetical order. */
  readonly programs: Readonly<Record<string, ProgramKnowledge>>;
  readonly workflows: Readonly<Record<ExperimentType, WorkflowKnowledge>>;
  readonly fileCategories: readonly FileCategory[];
  readonly metrics: Readonly<Record<string, MetricDefinition>>;
  /** How much a refinement may worsen the geometry. */
  readonly geometry: GeometryRules;
  readonly bestFiles: Readonly<Record<string, BestFileScoring>>;
  readonly ligandEvidence: LigandEvidenceRules;
  readonly placementEvidence: PlacementRules;
  readonly summary: SummaryDisplay;
  readonly errors: ErrorKnowledge;
  /** Explanations of each end of a session. */
  readonly stopWords: Readonly<Record<StopReason, StopWords>>;
  readonly transport: TransportKnowledge;
  /** How requests in plain words are read. */
  readonly advice: AdviceKnowledge;
}

/** A file of `knowledge/`; the path is relative to it and uses forward slashes. */
export interface KnowledgeFile {
  readonly path: string;
  readonly text: string;
}
