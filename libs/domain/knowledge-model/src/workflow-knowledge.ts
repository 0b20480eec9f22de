import type { ExperimentType, StopReason } from '@fleet/contracts/sessions';
import type { Condition } from './conditions';
import type { KnowledgeFact } from './fact-names';

/** A fact that follows from others. Definitions are evaluated in order and may use the ones above them. */
export interface FactDefinition {
  readonly fact: KnowledgeFact;
  readonly when: Condition;
  readonly why: string;
}

/** First rule whose condition holds names the step. */
export interface StepRule {
  readonly id: string;
  readonly when: Condition;
  readonly step: string;
  readonly why: string;
}

/** A program of a step; the order in the step is the order of preference. */
export interface StepProgram {
  readonly program: string;
  readonly when?: Condition;
  /** Told as the reason for the choice; facts in braces. */
  readonly why: string;
  /** Told when `when` does not hold. */
  readonly otherwise?: string;
}

export interface WorkflowStep {
  /** State that is reported outside (phenix-agent.md#states), for example `xray_refined`. */
  readonly state: string;
  /** A program may stand twice with different conditions; its first place that holds counts. */
  readonly programs: readonly StepProgram[];
  /** What a language model may choose besides; the rules never do. */
  readonly for_models?: readonly StepProgram[];
  /** No directive brings another program in here. */
  readonly closed?: boolean;
  /** No model is in its place yet: directives bring in no program that needs one. */
  readonly unplaced?: boolean;
  /** The workflow may end here as well: STOP stands on the menu behind the programs. */
  readonly stop_when?: Condition;
  /** The step that takes its place where it offers nothing. */
  readonly when_empty?: string;
  /** Told when none of them can run. */
  readonly blocked?: { readonly reason: StopReason; readonly detail: string };
}

/** A program that refines, unless its run stopped early. */
export interface RefinementProgram {
  readonly program: string;
  readonly why: string;
}

/** Programs whose success makes what was refined before another model. */
interface ChangingPrograms {
  readonly programs: readonly string[];
  readonly why: string;
}

/** Series of one metric over the refinement runs, from which gain and plateau are judged. */
export interface TrendDefinition {
  readonly metric: string;
  readonly programs: readonly string[];
  /** Their last value before the first run counts as where the series starts. */
  readonly baseline: readonly { readonly program: string; readonly metric: string }[];
  readonly better: 'lower' | 'higher';
  /** An improvement smaller than this is none. */
  readonly significant: number;
  /** After a run of one of these the series starts again: the model has changed. */
  readonly reset_by: readonly string[];
  readonly why: string;
}

/** Evaluated after every execution, in order; the only place where stop conditions are. */
export interface StopRule {
  readonly id: string;
  readonly when: Condition;
  readonly reason: StopReason;
  /** For the user; facts in braces, `{refine.r_free:3}` with decimals. */
  readonly detail: string;
  /** Sentences that are added where they hold. */
  readonly notes?: readonly { readonly when: Condition; readonly text: string }[];
  readonly why: string;
}

/** knowledge/stops.yaml: a reason to stop, for whoever was not there. */
export interface StopWords {
  /** What was found. */
  readonly means: string;
  /** What a session has done before it ends so. */
  readonly tried: string;
  /** What to do. */
  readonly next: string;
  /** What to do in a sentence: added to the stop's own words where it holds. */
  readonly said: readonly { readonly when?: Condition; readonly text: string }[];
}

/** Something that looks wrong before a decision. */
export interface SanityCheck {
  readonly id: string;
  readonly level: 'critical' | 'warning';
  readonly when: Condition;
  readonly message: string;
  readonly suggestion: string;
}

/** knowledge/workflows/NAME.yaml */
export interface WorkflowKnowledge {
  readonly experiment: ExperimentType;
  /** Metric whose bands give the target, and the setting that overrides it. */
  readonly target: { readonly metric: string; readonly setting: string; readonly default_resolution: number };
  /** Whose runs count as refinements, and whose values are those of record. */
  readonly refinement: readonly RefinementProgram[];
  /** Their success begins a new series of values, of which `refinement.best` is the best one. */
  readonly new_model: ChangingPrograms;
  /** Their success puts a model into its place; unless the run stopped early. */
  readonly placement: ChangingPrograms;
  readonly trend: TrendDefinition;
  readonly definitions: readonly FactDefinition[];
  readonly checks: readonly SanityCheck[];
  readonly detection: readonly StepRule[];
  readonly steps: Readonly<Record<string, WorkflowStep>>;
  readonly stops: readonly StopRule[];
}
