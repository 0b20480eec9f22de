import {
  also,
  choice,
  differing,
  integer,
  list,
  mapOf,
  mark,
  oneOf,
  record,
  scalar,
  someOf,
  text,
  type Described,
} from '@fleet/contracts/schema';
import { name, phenixProgram, ruleId, sentence, someText } from './shared-schemas';

/**
 * The consequence of an error for the next run: `terminal` recurs until files or machine change, `parameter` and `labels` need another
 * command, `retryable` may be transient.
 */
const errorClass = choice(['terminal', 'parameter', 'labels', 'retryable']);
export type ErrorClass = Described<typeof errorClass>;

/** knowledge/errors.yaml, `endings`: a log with the first text, but without any of the others at its end, is incomplete. */
const expectedEnding = record({
  /** Beginning of a line that the program prints when it starts. */
  begins: text(undefined, { minLength: 5 }),
  /** Any of these in its last lines, if it finished. */
  ends: someOf(text(undefined, { minLength: 5 })),
  why: sentence,
});

/** knowledge/errors.yaml, `limits`: number of failures after which a program is no longer offered. */
const failureLimits = record({
  in_a_row: integer(undefined, { minimum: 1, maximum: 20 }),
  /** In the whole session, for a program that refines, and for others. */
  of_refinement: integer(undefined, { minimum: 1, maximum: 20 }),
  of_others: integer(undefined, { minimum: 1, maximum: 20 }),
});

/** knowledge/errors.yaml, `known`: the text of a failing program, explained for users. */
const knownError = record(
  {
    id: ruleId,
    class: errorClass,
    /** Any of these in the log, case-insensitive. */
    text: someOf(someText),
    /** One plain sentence: what went wrong. */
    means: someText,
    /** One plain sentence: what to do about it. */
    remedy: someText,
  },
  {
    /** Only for these programs; absent: for all. */
    programs: differing(phenixProgram),
    /** A program that prints this at the end has no result, whatever exit code and numbers say. */
    ends_run: mark(),
  },
);
export type KnownError = Described<typeof knownError>;

/** A correction of the next run of a program, so that an error does not recur. */
const recoveryAction = oneOf(
  /** Selects one of the arrays in the log, by the kind of data that the program and the workflow need. */
  record({ choose: choice(['data_labels', 'phase_labels']) }),
  record({ set: also(mapOf(scalar()), { minProperties: 1 }) }),
  record({ drop_keys: someOf(someText) }),
  record({ drop_slots: someOf(someText) }),
  /** Omits the parameter that the error names; patterns with a group `parameter`. */
  record({ drop_named: someOf(text(undefined, { minLength: 1, pattern: '\\(\\?<parameter>' })) }),
);

/** knowledge/errors.yaml, `recoverable`: a known error after which the same program is retried with a correction. */
const recoverableError = record({
  /** Id of a known error. */
  id: ruleId,
  /** How often the same program is retried after it. */
  retries: integer(undefined, { minimum: 1, maximum: 5 }),
  action: recoveryAction,
  why: sentence,
});
export type RecoverableError = Described<typeof recoverableError>;

/** knowledge/errors.yaml, `labels`: how one of several arrays is selected. Texts are case-insensitive. */
const labelKnowledge = record({
  /** Parts of labels of anomalous arrays. */
  anomalous: someOf(someText),
  anomalous_programs: someOf(someText),
  merged_programs: someOf(someText),
  /** Words of the submitter's advice; they decide for programs that accept either kind. */
  anomalous_words: someOf(someText),
  /** Strategy key for a label, by program; `default` for the others. */
  key: mapOf(name, undefined, { required: ['default'] }),
  /** Strategy key for the labels of a set of phases, by program; absent for programs without one. */
  phase_key: mapOf(name),
});
export type LabelKnowledge = Described<typeof labelKnowledge>;

/** knowledge/errors.yaml */
export const errorKnowledge = record({
  /**
   * Any of these in the last lines of a log makes the run a failure, case-insensitive (phenix-agent.md#failure-words). A bare "error" does
   * not.
   */
  failure_words: someOf(someText),
  /** A line with one of these is not a failure if the run measured something and wrote its outputs, whatever failure word it contains. */
  partial_words: list(someText),
  /** Texts of a crashed program: a failure, and terminal. */
  terminal_words: someOf(someText),
  endings: list(expectedEnding),
  limits: failureLimits,
  known: list(knownError),
  recoverable: list(recoverableError),
  labels: labelKnowledge,
});
export type ErrorKnowledge = Described<typeof errorKnowledge>;

/** Joins log lines, so that a text with line breaks is found; a text that begins with a space begins a word. */
const flat = (lines: readonly string[]): string => ` ${lines.join(' ')}`.replaceAll(/\s+/g, ' ').toLowerCase();

/**
 * The known error of a failed run, if any: the first in the order of errors.yaml.
 * @param program exact name; texts of other programs are ignored
 */
export const knownErrorIn = (
  lines: readonly string[],
  program: string,
  { known }: Pick<ErrorKnowledge, 'known'>,
): KnownError | undefined => {
  const text = flat(lines);
  return known.find(
    (error) =>
      error.programs?.includes(program) !== false && error.text.some((part) => text.includes(part.toLowerCase())),
  );
};
