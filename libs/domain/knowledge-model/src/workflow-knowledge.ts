import type { ExperimentType, StopReason } from '@fleet/contracts/sessions';
import type { Condition } from './conditions';
import type { KnowledgeFact } from './fact-names';

/** A fact that is derived from others. Definitions are evaluated in order and may use earlier ones. */
interface FactDefinition {
  readonly fact: KnowledgeFact;
  readonly when: Condition;
  readonly why: string;
}

/** The first rule whose condition holds selects the step. */
interface StepRule {
  readonly id: string;
  readonly when: Condition;
  readonly step: string;
  readonly why: string;
}

/** A program of a step; the order in the step is the order of preference. */
export interface StepProgram {
  readonly program: string;
  readonly when?: Condition;
  /** Reported as the reason for the choice; facts in braces. */
  readonly why: string;
  /** Reported if `when` does not hold. */
  readonly otherwise?: string;
}

export interface WorkflowStep {
  /** External state (phenix-agent.md#states), for example `xray_refined`. */
  readonly state: string;
  /** A program may be listed twice with different conditions; the first entry that holds counts. */
  readonly programs: readonly StepProgram[];
  /** Additional choices of a language model; the rules never choose them. */
  readonly for_models?: readonly StepProgram[];
  /** Directives cannot add programs to this step. */
  readonly closed?: boolean;
  /** No model is placed yet: directives cannot add programs that need one. */
  readonly unplaced?: boolean;
  /** The workflow may end here too: STOP is on the menu after the programs. */
  readonly stop_when?: Condition;
  /** The fallback step if it offers nothing. */
  readonly when_empty?: string;
  /** Reported if none of them can run. */
  readonly blocked?: { readonly reason: StopReason; readonly detail: string };
}

/** A program that refines, unless its run stopped early. */
interface RefinementProgram {
  readonly program: string;
  readonly why: string;
}

/** Programs whose success makes earlier refinements those of another model. */
interface ChangingPrograms {
  readonly programs: readonly string[];
  readonly why: string;
}

/** Series of one metric over the refinement runs, from which gain and plateau are judged. */
export interface TrendDefinition {
  readonly metric: string;
  readonly programs: readonly string[];
  /** Their last value before the first run is the start of the series. */
  readonly baseline: readonly { readonly program: string; readonly metric: string }[];
  readonly better: 'lower' | 'higher';
  /** A smaller improvement is insignificant. */
  readonly significant: number;
  /** After a run of one of these the series starts again: the model has changed. */
  readonly reset_by: readonly string[];
  /** A run with this metric has left the model as it was: its value continues the series. */
  readonly unless?: string;
  readonly why: string;
}

/** Evaluated after every execution, in order; the only stop conditions. */
interface StopRule {
  readonly id: string;
  readonly when: Condition;
  readonly reason: StopReason;
  /** For the user; facts in braces, `{refine.r_free:3}` with decimals. */
  readonly detail: string;
  /** Sentences that are added if they hold. */
  readonly notes?: readonly { readonly when: Condition; readonly text: string }[];
  readonly why: string;
}

/** knowledge/stops.yaml: the explanation of a stop reason. */
export interface StopWords {
  /** The finding. */
  readonly means: string;
  /** What a session has tried before. */
  readonly tried: string;
  /** What to do. */
  readonly next: string;
  /** What to do in a sentence: added to the stop's own text if it holds. */
  readonly said: readonly { readonly when?: Condition; readonly text: string }[];
}

/** A possible problem before a decision. */
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
  /** Programs whose runs count as refinements, and whose values are recorded. */
  readonly refinement: readonly RefinementProgram[];
  /** Their success begins a new series of values, of which `refinement.best` is the best one. */
  readonly new_model: ChangingPrograms;
  /** Their success places a model, unless the run stopped early. */
  readonly placement: ChangingPrograms;
  readonly trend: TrendDefinition;
  readonly definitions: readonly FactDefinition[];
  readonly checks: readonly SanityCheck[];
  readonly detection: readonly StepRule[];
  readonly steps: Readonly<Record<string, WorkflowStep>>;
  readonly stops: readonly StopRule[];
}
