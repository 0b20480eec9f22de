import type { ExperimentType } from '@fleet/contracts/sessions';

/** Words for a program. */
export interface ProgramWords {
  readonly program: string;
  /** Only in these experiments; absent: in all. */
  readonly experiments?: readonly ExperimentType[];
  /** Nouns, which need a verb: "run phaser". */
  readonly names: readonly string[];
  /** Phrases that are requests by themselves: "dock the model". */
  readonly acts: readonly string[];
  /** Phrases that exclude it: "keep the ligand out". */
  readonly skips?: readonly string[];
  /** A flag of the program that is set if the session ends with it: "predict and stop". */
  readonly alone?: string;
  /** Present: a text that requests only this describes one task, with which the session ends. Contains the reason. */
  readonly task?: string;
}

/** How the words before a program change their meaning. */
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

/** A value in a text. */
export interface AdviceSetting {
  /** A strategy key of programs. */
  readonly key: string;
  /** Its program; absent: the program that is named beside it, otherwise all that have the key. */
  readonly program?: string;
  /** For refinement: `refine to 2.5 Å`. */
  readonly of_refinement?: boolean;
  /** Only if a program with the key is named beside it. */
  readonly only_beside?: boolean;
  /** Only if it is denied: "do not use data beyond 2.3 Å". */
  readonly limits?: boolean;
  /** Its words also request something: "find 8 Se sites". A program that they name is requested. */
  readonly asks?: boolean;
  readonly type:
    'number' | 'integer' | 'energy' | 'element' | 'cell' | 'space_group' | 'twin_law' | 'flag' | 'word' | 'absence';
  /** A negated value omits the key, whatever the session would have set by itself. */
  readonly left_out?: boolean;
  /** The value of a `word`. */
  readonly value?: string;
  readonly min?: number;
  readonly max?: number;
  /** Absent: all. */
  readonly experiments?: readonly ExperimentType[];
  /** Read before hyphens are replaced. */
  readonly raw?: boolean;
  /** With a group `value`, except for flags and words. */
  readonly patterns: readonly string[];
  readonly why: string;
}

/** `advice.yaml`: how requests in plain words are read. Patterns are regular expressions over one sentence in lower case. */
export interface AdviceKnowledge {
  readonly language: string;
  /** Replacements of `{name}` in patterns. */
  readonly fragments: Readonly<Record<string, string>>;
  readonly numbers: Readonly<Record<string, number>>;
  /** Chemical symbols by common names. */
  readonly elements: Readonly<Record<string, string>>;
  readonly programs: readonly ProgramWords[];
  readonly cues: Readonly<Record<CueName, readonly string[]>>;
  readonly given_after: string;
  /** Verbs of requests. */
  readonly verbs: readonly string[];
  /** Words of descriptions and reports. */
  readonly told: readonly string[];
  /** Words that request something, besides verbs. */
  readonly requesting: readonly string[];
  /** Crystals and structures other than those of the session. */
  readonly others: readonly string[];
  /** Domain terms, each of which is used or reported as unused; `counted` are number words. */
  readonly field: Readonly<Record<'nouns' | 'verbs' | 'counted', readonly string[]>>;
  /** Words for all programs that are not named. */
  readonly rest: readonly string[];
  /** Words near a program's name that do not belong to it. */
  readonly not_names: readonly string[];
  /** What the writer does without the service. */
  readonly own_work: readonly string[];
  /** What makes a part of a sentence no request: another time, other work, a doubt, a line of a log. */
  readonly no_order: readonly string[];
  /** What makes a part of a sentence a request for some rounds only, which no setting can express. */
  readonly some_rounds: readonly string[];
  /** Words that make a number a limit. */
  readonly at_most: readonly string[];
  readonly stop_now: readonly string[];
  readonly validation: { readonly names: readonly string[] };
  readonly phasing: {
    readonly mr_sad: string;
    readonly mr_sad_task: string;
    readonly experimental: string;
    readonly molecular_replacement: string;
    readonly placed: string;
  };
  /** Words that are only used in cryo-EM. */
  readonly cryoem_hints: readonly string[];
  readonly goals: readonly string[];
  readonly initial_model: {
    readonly pattern: string;
    readonly programs: Readonly<Record<ExperimentType, string>>;
    readonly why: string;
  };
  /** Programs and strategy keys for words without their names. */
  readonly meant: {
    readonly refinement: Readonly<
      Record<
        ExperimentType,
        { readonly program: string; /** Number of rounds of one run. */ readonly macro_cycles: string }
      >
    >;
    /** The phasing after molecular replacement (MR-SAD), and experimental phasing. */
    readonly phasing: string;
    /** "Run validation". */
    readonly validation: Readonly<Record<ExperimentType, string>>;
    readonly omit_map: { readonly program: string; /** The omitted atoms. */ readonly selection: string };
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
