import type { ExperimentType } from '@fleet/contracts/sessions';
import type { Condition } from './conditions';

/** One pattern for a metric in a program's log (knowledge/programs/NAME.yaml, `metrics`). */
export interface MetricPattern {
  /** Unique inside the program, for example `final_pair`. */
  readonly id: string;
  /** The metric's name, for example `r_free`. */
  readonly metric: string;
  /** A regular expression that is matched line by line; with a group `value`, or several metrics from one line through `metrics`. */
  readonly pattern: string;
  /** Metrics by named group, if one line contains several (`{ r_work: work, r_free: free }`). Then `metric` names the first. */
  readonly metrics?: Readonly<Record<string, string>>;
  readonly type: 'number' | 'integer' | 'string' | 'boolean';
  readonly unit?: 'Å' | '%' | 'Å²' | '°';
  /** Which of several matches counts, by default the last, which is the newest. For several values in a line `metric` decides. */
  readonly take?: 'first' | 'min' | 'max';
  /** Why it is not the last one. */
  readonly because?: string;
  /** A log that contains it, below PHENIX_FLEET_TEST_LOGS; absent if no real log is available. */
  readonly log?: string;
  /** Values outside are not this metric (sentinels such as 999.9). */
  readonly min?: number;
  readonly max?: number;
  /** Multiplies the value, for example 0.01 for a log in percent. */
  readonly scale?: number;
  /** The fixed value of a matching line (type string); then the pattern needs no group. */
  readonly means?: string;
  /** Only after a line that matches this. */
  readonly after?: string;
  /** Only until a line that matches this (from the `after` line on). */
  readonly until?: string;
  /** Why this pattern, or an example line. */
  readonly why: string;
}

/** Readers of libs/domain/log-parsing, by their table. */
export type TableName = 'measurability' | 'twin_law' | 'twin_verdict' | 'point_group' | 'phaser_solutions';

/** Thresholds of a metric at one resolution; see `bandAt`. */
export interface QualityBand {
  /** Å. Absent if the thresholds are the same at every resolution. */
  readonly at?: number;
  readonly good: number;
  readonly acceptable: number;
  readonly poor: number;
}

/** knowledge/metrics.yaml, `metrics`. */
export interface MetricDefinition {
  readonly label: string;
  readonly unit?: 'Å' | '%' | 'Å²' | '°';
  readonly better: 'lower' | 'higher' | 'neither';
  readonly decimals: number;
  /** A smaller change is insignificant. */
  readonly significant?: number;
  /** A correlation with a map that must be named with it. */
  readonly of_map?: boolean;
  readonly bands?: readonly QualityBand[];
  readonly why: string;
}

/** Results of refinement against a processed map are measured again against an unbiased one. */
export interface JudgedRule {
  /** The inflated metric, of these programs, if the file in this slot is in this category. */
  readonly metric: string;
  readonly programs: readonly string[];
  readonly slot: string;
  readonly flattering: string;
  /** Programs whose metric replaces it. */
  readonly by: readonly { readonly program: string; readonly metric: string }[];
  readonly why: string;
}

/** How much a geometry metric may deteriorate from its value at the beginning of the model's refinement. */
export interface GeometryRule {
  readonly metric: string;
  /** The same metric of the model at its first refinement. */
  readonly at_start: string;
  /** How much worse it may be than both the start and the acceptable value, in the unit of the metric. */
  readonly tolerance: number;
  /** It is ignored if the start is unknown. */
  readonly only_with_start?: boolean;
}

/** knowledge/metrics.yaml, `geometry`. */
export interface GeometryRules {
  readonly metrics: readonly GeometryRule[];
  readonly why: string;
}

/** A submitted, placed model stays the best until another one is measured to fit better. */
export interface SubmittedRule {
  /** The metric of the fit, one of the scoring's metrics. */
  readonly metric: string;
  /** The same metric at the beginning of a refinement: of the submitted model, from the program that refined it. */
  readonly at_start: string;
  /** The metric from which it must differ by `least_gap`; otherwise it was measured against data that were also refined against. */
  readonly beside: string;
  readonly beside_at_start: string;
  readonly least_gap: number;
  /** Argument of a command that makes the value meaningless. */
  readonly not_with: string;
  readonly why: string;
}

/** knowledge/metrics.yaml, `best_files`: which file of a category is the best. */
export interface BestFileScoring {
  /** Points by sub-category. */
  readonly stages: Readonly<Record<string, number>>;
  /** Points by metric, between `worst` (0 points) and `best` (all points). */
  readonly metrics: readonly {
    readonly metric: string;
    readonly points: number;
    readonly worst: number;
    readonly best: number;
  }[];
  /** Another category: outputs of the cycle of its best file come first. */
  readonly goes_with?: string;
  readonly submitted?: SubmittedRule;
  readonly judged?: JudgedRule;
  readonly why: string;
}

/** A rule over the metrics of one fitted ligand, and its text; facts in braces. */
interface EvidenceRule {
  readonly when: Condition;
  readonly says: string;
}

/** knowledge/metrics.yaml, `ligand_evidence`: whether a fitted ligand may be part of the delivered model. */
export interface LigandEvidenceRules {
  readonly programs: {
    readonly fit: string;
    readonly merge: string;
    readonly refinement: readonly string[];
    readonly omit: string;
    /** Makes restraints of a component, once for each. */
    readonly restraints: string;
  };
  /** Known error of a refinement without restraints for a component of its model. */
  readonly no_restraints: string;
  /** Known error of a fit into a map without density for the ligand. */
  readonly no_density: string;
  /** The first that holds removes the ligand. */
  readonly against: readonly (EvidenceRule & { readonly id: string; readonly why: string })[];
  /** Those that hold are reported for an accepted ligand. */
  readonly in_favour: readonly EvidenceRule[];
  /** Those that hold are reported when the session ends. */
  readonly sentences: readonly EvidenceRule[];
}

/** knowledge/metrics.yaml, `summary`: metrics in the summary of a session. */
export interface SummaryDisplay {
  /** Metrics of the input data, from the analysis programs. */
  readonly data_quality: readonly string[];
  /** Metrics of the final structure, by kind of experiment. */
  readonly quality: Readonly<Record<ExperimentType, readonly string[]>>;
  /** The metric of a session in a list, by experiment type: the first one that was measured on its result. */
  readonly fit: Readonly<Record<ExperimentType, readonly string[]>>;
  /** By program: a condition on its metrics for a model that is not placed in the density. */
  readonly not_placed: Readonly<Record<string, Condition>>;
  /** The metric of a step in the table of steps: the first one found, otherwise the word `done`. */
  readonly steps: Readonly<Record<string, { readonly metrics: readonly string[]; readonly done: string }>>;
}
