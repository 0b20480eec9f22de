import {
  choice,
  differing,
  flag,
  list,
  mapOf,
  number,
  record,
  someOf,
  type Described,
  type Schema,
} from '@fleet/contracts/schema';
import { experiment, factName, name, phenixProgram, ruleId, sentence, someText, stopReason } from './shared-schemas';
import { condition } from './conditions';
import type { KnowledgeFact } from './fact-names';

/** A program that refines, unless its run stopped early. */
const refinementProgram = record({ program: phenixProgram, why: sentence });

/** Programs whose success makes earlier refinements those of another model. */
const changingPrograms = record({ programs: differing(phenixProgram), why: sentence });

/** Series of one metric over the refinement runs, from which gain and plateau are judged. */
const trendDefinition = record(
  {
    metric: name,
    programs: someOf(phenixProgram),
    /** Their last value before the first run is the start of the series. */
    baseline: list(record({ program: phenixProgram, metric: name })),
    better: choice(['lower', 'higher']),
    /** A smaller improvement is insignificant. */
    significant: number(undefined, { exclusiveMinimum: 0 }),
    /** After a run of one of these the series starts again: the model has changed. */
    reset_by: list(phenixProgram),
    why: sentence,
  },
  {
    /** A run with this metric has left the model as it was: its value continues the series. */
    unless: name,
  },
);
export type TrendDefinition = Described<typeof trendDefinition>;

/** A fact that is derived from others. Definitions are evaluated in order and may use earlier ones. */
const factDefinition = record({ fact: factName as Schema<KnowledgeFact>, when: condition, why: sentence });

/** A possible problem before a decision. */
const sanityCheck = record({
  id: name,
  level: choice(['critical', 'warning']),
  when: condition,
  message: someText,
  suggestion: someText,
});
export type SanityCheck = Described<typeof sanityCheck>;

/** The first rule whose condition holds selects the step. */
const stepRule = record({ id: ruleId, when: condition, step: name, why: sentence });

/** A program of a step; the order in the step is the order of preference. */
const stepProgram = record(
  {
    program: phenixProgram,
    /** Reported as the reason for the choice; facts in braces. */
    why: sentence,
  },
  {
    when: condition,
    /** Reported if `when` does not hold. */
    otherwise: sentence,
  },
);
export type StepProgram = Described<typeof stepProgram>;

const workflowStep = record(
  {
    /** External state (phenix-agent.md#states), for example `xray_refined`. */
    state: name,
    /** A program may be listed twice with different conditions; the first entry that holds counts. */
    programs: list(stepProgram),
  },
  {
    /** Additional choices of a language model; the rules never choose them. */
    for_models: list(stepProgram),
    /** Directives cannot add programs to this step. */
    closed: flag(),
    /** No model is placed yet: directives cannot add programs that need one. */
    unplaced: flag(),
    /** The workflow may end here too: STOP is on the menu after the programs. */
    stop_when: condition,
    /** The fallback step if it offers nothing. */
    when_empty: name,
    /** Reported if none of them can run. */
    blocked: record({
      reason: stopReason,
      detail: someText,
    }),
  },
);
export type WorkflowStep = Described<typeof workflowStep>;

/** Evaluated after every execution, in order; the only stop conditions. */
const stopRule = record(
  {
    id: ruleId,
    when: condition,
    reason: stopReason,
    /** For the user; facts in braces, `{refine.r_free:3}` with decimals. */
    detail: someText,
    why: sentence,
  },
  {
    /** Sentences that are added if they hold. */
    notes: list(record({ when: condition, text: someText })),
  },
);

/** knowledge/workflows/NAME.yaml */
export const workflowKnowledge = record({
  experiment: experiment,
  /** Metric whose bands give the target, and the setting that overrides it. */
  target: record({ metric: name, setting: name, default_resolution: number() }),
  /** Programs whose runs count as refinements, and whose values are recorded. */
  refinement: someOf(refinementProgram),
  /** Their success begins a new series of values, of which `refinement.best` is the best one. */
  new_model: changingPrograms,
  /** Their success places a model, unless the run stopped early. */
  placement: changingPrograms,
  trend: trendDefinition,
  definitions: list(factDefinition),
  checks: list(sanityCheck),
  detection: someOf(stepRule),
  steps: mapOf(workflowStep),
  stops: list(stopRule),
});
export type WorkflowKnowledge = Described<typeof workflowKnowledge>;

/** knowledge/stops.yaml: the explanation of a stop reason. */
const stopWords = record({
  /** The finding. */
  means: sentence,
  /** What a session has tried before. */
  tried: sentence,
  /** What to do. */
  next: sentence,
  /** What to do in a sentence: added to the stop's own text if it holds. */
  said: list(record({ text: sentence }, { when: condition })),
});
export type StopWords = Described<typeof stopWords>;

/** knowledge/stops.yaml */
export const stopKnowledge = record({ stops: mapOf(stopWords) });
