import type { ExperimentType } from '@fleet/contracts/sessions';
import type { Condition } from './conditions';

/** One way to read one metric from a program's log (knowledge/programs/NAME.yaml, `metrics`). */
export interface MetricPattern {
  /** Unique inside the program, for example `final_pair`. */
  readonly id: string;
  /** The metric's name, for example `r_free`. */
  readonly metric: string;
  /** A regular expression that is matched line by line; group `value`, or several metrics from one line through `metrics`. */
  readonly pattern: string;
  /** Metrics by named group, when one line carries several (`{ r_work: work, r_free: free }`). Then `metric` names the first. */
  readonly metrics?: Readonly<Record<string, string>>;
  readonly type: 'number' | 'integer' | 'string' | 'boolean';
  readonly unit?: 'Å' | '%' | 'Å²' | '°';
  /** Which of several matches counts, by default the last: what a program says later is newer. Of several values in a line `metric` decides. */
  readonly take?: 'first' | 'min' | 'max';
  /** Why it is not the last one. */
  readonly because?: string;
  /** A log that shows it, below PHENIX_FLEET_TEST_LOGS; absent where no real log is at hand. */
  readonly log?: string;
  /** Values outside are not this metric (sentinels such as 999.9). */
  readonly min?: number;
  readonly max?: number;
  /** Multiplies the value, for example 0.01 where a log prints percent. */
  readonly scale?: number;
  /** The value of a line that says it in other words (type string); then the pattern needs no group. */
  readonly means?: string;
  /** Only after a line that matches this. */
  readonly after?: string;
  /** Only until a line that matches this (looked for from the `after` line on). */
  readonly until?: string;
  /** Why this pattern, or an example line. */
  readonly why: string;
}

/** Readers of libs/domain/log-parsing, by what they read. */
export type TableName = 'measurability' | 'twin_law' | 'twin_verdict' | 'point_group' | 'phaser_solutions';

/** Thresholds of a metric at one resolution; see `bandAt`. */
export interface QualityBand {
  /** Å. Absent where the thresholds are the same at every resolution. */
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
  /** A change smaller than this is none. */
  readonly significant?: number;
  /** It is a correlation with the map of its program, which has to be named with it. */
  readonly of_map?: boolean;
  readonly bands?: readonly QualityBand[];
  readonly why: string;
}

/** What was refined against a map that flatters is measured again against one that does not. */
export interface JudgedRule {
  /** The metric that flatters, of these programs, where the file in this slot is in this category. */
  readonly metric: string;
  readonly programs: readonly string[];
  readonly slot: string;
  readonly flattering: string;
  /** Programs whose metric takes its place. */
  readonly by: readonly { readonly program: string; readonly metric: string }[];
  readonly why: string;
}

/** How far a number of the geometry may get worse than it was where the refinement of the model began. */
export interface GeometryRule {
  readonly metric: string;
  /** The same of the model as its first refinement was given it. */
  readonly at_start: string;
  /** By how much it may be worse than both the start and the acceptable value, in the unit of the metric. */
  readonly tolerance: number;
  /** It says nothing where the start is not known. */
  readonly only_with_start?: boolean;
}

/** knowledge/metrics.yaml, `geometry`. */
export interface GeometryRules {
  readonly metrics: readonly GeometryRule[];
  readonly why: string;
}

/** Until a model is measured to fit better, a submitted one in its place stays the best. */
export interface SubmittedRule {
  /** What the fit is judged by, one of the scoring's metrics. */
  readonly metric: string;
  /** The same metric where a refinement began: of the submitted model, by the program that continued from it. */
  readonly at_start: string;
  /** The metric that it must differ from by `least_gap`, or it was not measured on anything that was kept apart. */
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
  /** Another category: what the cycle of its best file made comes before everything else. */
  readonly goes_with?: string;
  readonly submitted?: SubmittedRule;
  readonly judged?: JudgedRule;
  readonly why: string;
}

/** A rule over the numbers of one fitted ligand, and what it says; facts in braces. */
interface EvidenceRule {
  readonly when: Condition;
  readonly says: string;
}

/** knowledge/metrics.yaml, `ligand_evidence`: whether a fitted ligand may be part of the model that is delivered. */
export interface LigandEvidenceRules {
  readonly programs: {
    readonly fit: string;
    readonly merge: string;
    readonly refinement: readonly string[];
    readonly omit: string;
    /** Makes restraints of a component, once of each. */
    readonly restraints: string;
  };
  /** Known error of a refinement that has no restraints for a component of its model. */
  readonly no_restraints: string;
  /** The first that holds speaks against the ligand: it is left out. */
  readonly against: readonly (EvidenceRule & { readonly id: string; readonly why: string })[];
  /** Those that hold are reported of a ligand that stays. */
  readonly in_favour: readonly EvidenceRule[];
  /** Those that hold are reported when the session ends. */
  readonly sentences: readonly EvidenceRule[];
}

/** knowledge/metrics.yaml, `summary`: which numbers the summary of a session shows. */
export interface SummaryDisplay {
  /** Metrics of the input data, from the analysis programs. */
  readonly data_quality: readonly string[];
  /** Metrics of the final structure, by kind of experiment. */
  readonly quality: Readonly<Record<ExperimentType, readonly string[]>>;
  /** What stands for a session in a list, by kind of experiment: the first metric that was measured on its result. */
  readonly fit: Readonly<Record<ExperimentType, readonly string[]>>;
  /** By program: when its metrics say that the model it looked at is not where the density is. */
  readonly not_placed: Readonly<Record<string, Condition>>;
  /** What stands for a step in the table of steps: its first metric that was found, else the word `done`. */
  readonly steps: Readonly<Record<string, { readonly metrics: readonly string[]; readonly done: string }>>;
}
