import {
  also,
  choice,
  flag,
  integer,
  list,
  mapOf,
  merged,
  number,
  record,
  someOf,
  text,
  type Described,
} from '@fleet/contracts/schema';
import { byExperiment, log, name, sentence, someText, unit } from './shared-schemas';
import { condition } from './conditions';
import { placementRules } from './placement-knowledge';

/** Readers of libs/domain/log-parsing, by their table. */
export const tableName = choice(['measurability', 'twin_law', 'twin_verdict', 'point_group', 'phaser_solutions']);
export type TableName = Described<typeof tableName>;

/** One pattern for a metric in a program's log (knowledge/programs/NAME.yaml, `metrics`). */
export const metricPattern = also(
  record(
    {
      /** Unique inside the program, for example `final_pair`. */
      id: name,
      /** The metric's name, for example `r_free`. */
      metric: name,
      /** A regular expression that is matched line by line; with a group `value`, or several metrics from one line through `metrics`. */
      pattern: someText,
      type: choice(['number', 'integer', 'string', 'boolean']),
      /** Why this pattern, or an example line. */
      why: sentence,
    },
    {
      /** Metrics by named group, if one line contains several (`{ r_work: work, r_free: free }`). Then `metric` names the first. */
      metrics: mapOf(someText),
      unit: unit,
      /** Which of several matches counts, by default the last, which is the newest. For several values in a line `metric` decides. */
      take: choice(['first', 'min', 'max']),
      /** Why it is not the last one. */
      because: sentence,
      /** A log that contains it, below PHENIX_FLEET_TEST_LOGS; absent if no real log is available. */
      log: log,
      /** Values outside are not this metric (sentinels such as 999.9). */
      min: number(),
      max: number(),
      /** Multiplies the value, for example 0.01 for a log in percent. */
      scale: number(),
      /** The fixed value of a matching line (type string); then the pattern needs no group. */
      means: someText,
      /** Only after a line that matches this. */
      after: someText,
      /** Only until a line that matches this (from the `after` line on). */
      until: someText,
    },
  ),
  { dependentRequired: { take: ['because'], because: ['take'] } },
);
export type MetricPattern = Described<typeof metricPattern>;

/** Thresholds of a metric at one resolution; see `bandAt`. */
const qualityBand = record(
  { good: number(), acceptable: number(), poor: number() },
  {
    /** Å. Absent if the thresholds are the same at every resolution. */
    at: number(),
  },
);
export type QualityBand = Described<typeof qualityBand>;

/** knowledge/metrics.yaml, `metrics`. */
const metricDefinition = record(
  {
    label: someText,
    better: choice(['lower', 'higher', 'neither']),
    decimals: integer(undefined, { minimum: 0 }),
    why: sentence,
  },
  {
    unit: unit,
    /** A smaller change is insignificant. */
    significant: number(),
    /** A correlation with a map that must be named with it. */
    of_map: flag(),
    bands: someOf(qualityBand),
  },
);
export type MetricDefinition = Described<typeof metricDefinition>;

/** How much a geometry metric may deteriorate from its value at the beginning of the model's refinement. */
const geometryRule = record(
  {
    metric: name,
    /** The same metric of the model at its first refinement. */
    at_start: name,
    /** How much worse it may be than both the start and the acceptable value, in the unit of the metric. */
    tolerance: number(undefined, { minimum: 0 }),
  },
  {
    /** It is ignored if the start is unknown. */
    only_with_start: flag(),
  },
);
export type GeometryRule = Described<typeof geometryRule>;

/** knowledge/metrics.yaml, `geometry`. */
const geometryRules = record({ metrics: someOf(geometryRule), why: sentence });
export type GeometryRules = Described<typeof geometryRules>;

/** A submitted, placed model stays the best until another one is measured to fit better. */
const submittedRule = record({
  /** The metric of the fit, one of the scoring's metrics. */
  metric: text(),
  /** The same metric at the beginning of a refinement: of the submitted model, from the program that refined it. */
  at_start: text(),
  /** The metric from which it must differ by `least_gap`; otherwise it was measured against data that were also refined against. */
  beside: text(),
  beside_at_start: text(),
  least_gap: number(),
  /** Argument of a command that makes the value meaningless. */
  not_with: text(),
  why: sentence,
});
export type SubmittedRule = Described<typeof submittedRule>;

/** Results of refinement against a processed map are measured again against an unbiased one. */
const judgedRule = record({
  /** The inflated metric, of these programs, if the file in this slot is in this category. */
  metric: text(),
  programs: someOf(text()),
  slot: text(),
  flattering: text(),
  /** Programs whose metric replaces it. */
  by: someOf(record({ program: text(), metric: text() })),
  why: sentence,
});
export type JudgedRule = Described<typeof judgedRule>;

/** knowledge/metrics.yaml, `best_files`: which file of a category is the best. */
const bestFileScoring = record(
  {
    /** Points by sub-category. */
    stages: mapOf(number()),
    /** Points by metric, between `worst` (0 points) and `best` (all points). */
    metrics: list(record({ metric: name, points: number(), worst: number(), best: number() })),
    why: sentence,
  },
  {
    /** Another category: outputs of the cycle of its best file come first. */
    goes_with: name,
    submitted: submittedRule,
    judged: judgedRule,
  },
);
export type BestFileScoring = Described<typeof bestFileScoring>;

/** A rule over the metrics of one fitted ligand, and its text; facts in braces. */
const evidenceRule = record({ when: condition, says: sentence });

/** knowledge/metrics.yaml, `ligand_evidence`: whether a fitted ligand may be part of the delivered model. */
const ligandEvidenceRules = record({
  programs: record({
    fit: text(),
    merge: text(),
    refinement: someOf(text()),
    omit: text(),
    /** Makes restraints of a component, once for each. */
    restraints: text(),
  }),
  /** Known error of a refinement without restraints for a component of its model. */
  no_restraints: name,
  /** Known error of a fit into a map without density for the ligand. */
  no_density: name,
  /** The first that holds removes the ligand. */
  against: list(merged(evidenceRule, record({ id: sentence, why: sentence }))),
  /** Those that hold are reported for an accepted ligand. */
  in_favour: list(evidenceRule),
  /** Those that hold are reported when the session ends. */
  sentences: list(evidenceRule),
});
export type LigandEvidenceRules = Described<typeof ligandEvidenceRules>;

/** knowledge/metrics.yaml, `summary`: metrics in the summary of a session. */
const summaryDisplay = record({
  /** Metrics of the input data, from the analysis programs. */
  data_quality: list(name),
  /** Metrics of the final structure, by kind of experiment. */
  quality: byExperiment(list(name)),
  /** The metric of a session in a list, by experiment type: the first one that was measured on its result. */
  fit: byExperiment(someOf(name)),
  /** By program: a condition on its metrics for a model that is not placed in the density. */
  not_placed: mapOf(condition),
  /** The metric of a step in the table of steps: the first one found, otherwise the word `done`. */
  steps: mapOf(record({ metrics: list(name), done: someText })),
});
export type SummaryDisplay = Described<typeof summaryDisplay>;

/** knowledge/metrics.yaml */
export const metricKnowledge = record({
  metrics: mapOf(metricDefinition),
  /** How much a refinement may worsen the geometry. */
  geometry: geometryRules,
  best_files: mapOf(bestFileScoring),
  ligand_evidence: ligandEvidenceRules,
  placement_evidence: placementRules,
  summary: summaryDisplay,
});
