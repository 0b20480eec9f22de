import {
  byName,
  choice,
  flag,
  integer,
  list,
  mapOf,
  matching,
  number,
  record,
  someOf,
  text,
  type Described,
} from '@fleet/contracts/schema';
import { byExperiment, experiment, phenixProgram, sentence } from './shared-schemas';

/** A regular expression; a limit of its length keeps it readable. */
const pattern = text(undefined, { minLength: 1, maxLength: 600 });

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

/** Words for a program. */
const programWords = record(
  {
    program: phenixProgram,
    /** Nouns, which need a verb: "run phaser". */
    names: list(pattern),
    /** Phrases that are requests by themselves: "dock the model". */
    acts: list(pattern),
  },
  {
    /** Only in these experiments; absent: in all. */
    experiments: someOf(experiment),
    /** Phrases that exclude it: "keep the ligand out". */
    skips: list(pattern),
    /** A flag of the program that is set if the session ends with it: "predict and stop". */
    alone: text(),
    /** Present: a text that requests only this describes one task, with which the session ends. Contains the reason. */
    task: sentence,
  },
);
export type ProgramWords = Described<typeof programWords>;

/** A value in a text. */
const adviceSetting = record(
  {
    /** A strategy key of programs. */
    key: text(),
    type: choice([
      'number',
      'integer',
      'energy',
      'element',
      'cell',
      'space_group',
      'twin_law',
      'flag',
      'word',
      'absence',
    ]),
    /** With a group `value`, except for flags and words. */
    patterns: someOf(pattern),
    why: sentence,
  },
  {
    /** Its program; absent: the program that is named beside it, otherwise all that have the key. */
    program: phenixProgram,
    /** For refinement: `refine to 2.5 Å`. */
    of_refinement: flag(),
    /** Only if a program with the key is named beside it. */
    only_beside: flag(),
    /** Only if it is denied: "do not use data beyond 2.3 Å". */
    limits: flag(),
    /** Its words also request something: "find 8 Se sites". A program that they name is requested. */
    asks: flag(),
    /** A negated value omits the key, whatever the session would have set by itself. */
    left_out: flag(),
    /** The value of a `word`. */
    value: text(),
    min: number(),
    max: number(),
    /** Absent: all. */
    experiments: someOf(experiment),
    /** Read before hyphens are replaced. */
    raw: flag(),
  },
);
export type AdviceSetting = Described<typeof adviceSetting>;

/** `advice.yaml`: how requests in plain words are read. Patterns are regular expressions over one sentence in lower case. */
export const adviceKnowledge = record({
  language: matching('^[a-z]{2}$'),
  /** Replacements of `{name}` in patterns. */
  fragments: mapOf(pattern),
  numbers: mapOf(integer(undefined, { minimum: 1 })),
  /** Chemical symbols by common names. */
  elements: mapOf(matching('^[A-Z][a-z]?$')),
  programs: list(programWords),
  cues: byName(cueNames, someOf(pattern)),
  given_after: pattern,
  /** Verbs of requests. */
  verbs: someOf(pattern),
  /** Words of descriptions and reports. */
  told: someOf(pattern),
  /** Words that request something, besides verbs. */
  requesting: someOf(pattern),
  /** Crystals and structures other than those of the session. */
  others: someOf(pattern),
  /** Domain terms, each of which is used or reported as unused; `counted` are number words. */
  field: byName(['nouns', 'verbs', 'counted'], someOf(pattern)),
  /** Words for all programs that are not named. */
  rest: someOf(pattern),
  /** Words near a program's name that do not belong to it. */
  not_names: list(text()),
  /** What the writer does without the service. */
  own_work: someOf(pattern),
  /** What makes a part of a sentence no request: another time, other work, a doubt, a line of a log. */
  no_order: someOf(pattern),
  /** What makes a part of a sentence a request for some rounds only, which no setting can express. */
  some_rounds: someOf(pattern),
  /** Words that make a number a limit. */
  at_most: someOf(pattern),
  stop_now: someOf(pattern),
  validation: record({ names: someOf(pattern) }),
  phasing: record({
    mr_sad: pattern,
    mr_sad_task: pattern,
    experimental: pattern,
    molecular_replacement: pattern,
    placed: pattern,
  }),
  /** Words that are only used in cryo-EM. */
  cryoem_hints: someOf(pattern),
  goals: someOf(pattern),
  initial_model: record({
    pattern,
    programs: byExperiment(phenixProgram),
    why: sentence,
  }),
  /** Programs and strategy keys for words without their names. */
  meant: record({
    refinement: byExperiment(
      record({
        program: phenixProgram,
        /** Number of rounds of one run. */
        macro_cycles: text(),
      }),
    ),
    /** The phasing after molecular replacement (MR-SAD), and experimental phasing. */
    phasing: phenixProgram,
    /** "Run validation". */
    validation: byExperiment(phenixProgram),
    omit_map: record({
      program: phenixProgram,
      /** The omitted atoms. */
      selection: text(),
    }),
  }),
  step_by_step: someOf(pattern),
  rounds: byName(['refinements', 'macro_cycles', 'cycles'], someOf(pattern)),
  settings: list(adviceSetting),
  targets: list(record({ field: choice(['r_free_target', 'map_cc_target']), patterns: someOf(pattern) })),
  until: record({ pattern, metric: text() }),
  conditions: someOf(pattern),
  hostile: list(record({ id: text(), pattern, why: sentence })),
});
export type AdviceKnowledge = Described<typeof adviceKnowledge>;
