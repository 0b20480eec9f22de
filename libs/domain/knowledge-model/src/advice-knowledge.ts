import type { ExperimentType } from '@fleet/contracts/sessions';

/** What people call a program. */
export interface ProgramWords {
  readonly program: string;
  /** Only in these experiments; absent: in all. */
  readonly experiments?: readonly ExperimentType[];
  /** Nouns, which have to be asked for: "run phaser". */
  readonly names: readonly string[];
  /** Phrases that ask by themselves: "dock the model". */
  readonly acts: readonly string[];
  /** Phrases that do without it: "keep the ligand out". */
  readonly skips?: readonly string[];
  /** A flag of the program that is set where the session ends with this: "predict and stop". */
  readonly alone?: string;
  /** Present: a text that asks for this alone describes one task, with which the session ends. Says why. */
  readonly task?: string;
}

/** How the words before a program change what is meant by it. */
export const cueNames = [
  'skip',
  'denied',
  'only',
  'stop_after',
  'last',
  'stop',
  'go_on',
  'run',
  'use',
  'start',
  'first',
  'prefer',
  'given',
  'again',
] as const;
export type CueName = (typeof cueNames)[number];

/** A value that a text may hold. */
export interface AdviceSetting {
  /** A strategy key of programs. */
  readonly key: string;
  /** Whose it is; absent: of the program that is named beside it, else of all that know the key. */
  readonly program?: string;
  /** Said of refinement: `refine to 2.5 Å`. */
  readonly of_refinement?: boolean;
  /** Only where a program is named beside it that knows the key. */
  readonly only_beside?: boolean;
  /** Its words ask for something besides: "find 8 Se sites". A program that they name is asked for. */
  readonly asks?: boolean;
  readonly type:
    'number' | 'integer' | 'energy' | 'element' | 'cell' | 'space_group' | 'twin_law' | 'flag' | 'word' | 'absence';
  /** A denied value leaves the key out, whatever the session would have set by itself. */
  readonly left_out?: boolean;
  /** The value of a `word`. */
  readonly value?: string;
  readonly min?: number;
  readonly max?: number;
  /** Read where hyphens still are hyphens. */
  readonly raw?: boolean;
  /** With a group `value`, but for flags and words. */
  readonly patterns: readonly string[];
  readonly why: string;
}

/** `advice.yaml`: how wishes in plain words are read. Patterns are regular expressions over one sentence in lower case. */
export interface AdviceKnowledge {
  readonly language: string;
  /** What stands for `{name}` in patterns. */
  readonly fragments: Readonly<Record<string, string>>;
  readonly numbers: Readonly<Record<string, number>>;
  /** Chemical symbols by the names that people use. */
  readonly elements: Readonly<Record<string, string>>;
  readonly programs: readonly ProgramWords[];
  readonly cues: Readonly<Record<CueName, readonly string[]>>;
  readonly given_after: string;
  /** Verbs of orders. */
  readonly verbs: readonly string[];
  /** Words that tell how something is or was. */
  readonly told: readonly string[];
  /** Words that wish for something, besides verbs of orders. */
  readonly wished: readonly string[];
  /** Other crystals and structures than those of the session. */
  readonly others: readonly string[];
  /** Words of the field, each of which is used or told as not used; `counted` are numbers in words. */
  readonly field: Readonly<Record<'nouns' | 'verbs' | 'counted', readonly string[]>>;
  /** All programs that are not named. */
  readonly rest: readonly string[];
  /** Words near a program's name that are none. */
  readonly not_names: readonly string[];
  /** What the writer does without the service. */
  readonly own_work: readonly string[];
  /** Words that make a number a limit. */
  readonly at_most: readonly string[];
  readonly stop_now: readonly string[];
  readonly validation: { readonly names: readonly string[] };
  readonly phasing: {
    readonly mr_sad: string;
    readonly mr_sad_task: string;
    readonly experimental: string;
    readonly molecular_replacement: string;
  };
  /** Words that only belong to cryo-EM. */
  readonly cryoem_hints: readonly string[];
  readonly goals: readonly string[];
  readonly initial_model: {
    readonly pattern: string;
    readonly programs: Readonly<Record<ExperimentType, string>>;
    readonly why: string;
  };
  /** Programs and strategy keys that are meant by words without their names. */
  readonly meant: {
    readonly refinement: Readonly<
      Record<
        ExperimentType,
        { readonly program: string; /** How many rounds one run makes. */ readonly macro_cycles: string }
      >
    >;
    /** The phasing after molecular replacement (MR-SAD), and experimental phasing. */
    readonly phasing: string;
    /** "Run validation". */
    readonly validation: Readonly<Record<ExperimentType, string>>;
    readonly omit_map: { readonly program: string; /** The atoms that are left out. */ readonly selection: string };
  };
  readonly step_by_step: readonly string[];
  readonly rounds: Readonly<Record<'refinements' | 'macro_cycles' | 'cycles', readonly string[]>>;
  readonly settings: readonly AdviceSetting[];
  readonly targets: readonly {
    readonly field: 'r_free_target' | 'map_cc_target';
    readonly patterns: readonly string[];
  }[];
  readonly until: { readonly pattern: string; readonly metric: string };
  readonly conditions: readonly string[];
  readonly hostile: readonly { readonly id: string; readonly pattern: string; readonly why: string }[];
}
