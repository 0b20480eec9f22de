import type { StrategyValue } from '@fleet/contracts/schema';

/**
 * The consequence of an error for the next run: `terminal` recurs until files or machine change, `parameter` and `labels` need another
 * command, `retryable` may be transient.
 */
export type ErrorClass = 'terminal' | 'parameter' | 'labels' | 'retryable';

/** knowledge/errors.yaml, `known`: the text of a failing program, explained for users. */
export interface KnownError {
  readonly id: string;
  readonly class: ErrorClass;
  /** Only for these programs; absent: for all. */
  readonly programs?: readonly string[];
  /** Any of these in the log, case-insensitive. */
  readonly text: readonly string[];
  /** A program that prints this at the end has no result, whatever exit code and numbers say. */
  readonly ends_run?: true;
  /** One plain sentence: what went wrong. */
  readonly means: string;
  /** One plain sentence: what to do about it. */
  readonly remedy: string;
}

/** A correction of the next run of a program, so that an error does not recur. */
type RecoveryAction =
  /** Selects one of the arrays in the log, by the kind of data that the program and the workflow need. */
  | { readonly choose: 'data_labels' | 'phase_labels' }
  | { readonly set: Readonly<Record<string, StrategyValue>> }
  | { readonly drop_keys: readonly string[] }
  | { readonly drop_slots: readonly string[] }
  /** Omits the parameter that the error names; patterns with a group `parameter`. */
  | { readonly drop_named: readonly string[] };

/** knowledge/errors.yaml, `recoverable`: a known error after which the same program is retried with a correction. */
export interface RecoverableError {
  /** Id of a known error. */
  readonly id: string;
  /** How often the same program is retried after it. */
  readonly retries: number;
  readonly action: RecoveryAction;
  readonly why: string;
}

/** knowledge/errors.yaml, `labels`: how one of several arrays is selected. Texts are case-insensitive. */
export interface LabelKnowledge {
  /** Parts of labels of anomalous arrays. */
  readonly anomalous: readonly string[];
  readonly anomalous_programs: readonly string[];
  readonly merged_programs: readonly string[];
  /** Words of the submitter's advice; they decide for programs that accept either kind. */
  readonly anomalous_words: readonly string[];
  /** Strategy key for a label, by program; `default` for the others. */
  readonly key: Readonly<Record<string, string>>;
  /** Strategy key for the labels of a set of phases, by program; absent for programs without one. */
  readonly phase_key: Readonly<Record<string, string>>;
}

/** knowledge/errors.yaml, `limits`: number of failures after which a program is no longer offered. */
interface FailureLimits {
  readonly in_a_row: number;
  /** In the whole session, for a program that refines, and for others. */
  readonly of_refinement: number;
  readonly of_others: number;
}

/** knowledge/errors.yaml, `endings`: a log with the first text, but without any of the others at its end, is incomplete. */
interface ExpectedEnding {
  /** Beginning of a line that the program prints when it starts. */
  readonly begins: string;
  /** Any of these in its last lines, if it finished. */
  readonly ends: readonly string[];
  readonly why: string;
}

/** knowledge/errors.yaml */
export interface ErrorKnowledge {
  /**
   * Any of these in the last lines of a log makes the run a failure, case-insensitive (phenix-agent.md#failure-words). A bare "error" does
   * not.
   */
  readonly failure_words: readonly string[];
  /** A line with one of these is not a failure if the run measured something and wrote its outputs, whatever failure word it contains. */
  readonly partial_words: readonly string[];
  /** Texts of a crashed program: a failure, and terminal. */
  readonly terminal_words: readonly string[];
  readonly endings: readonly ExpectedEnding[];
  readonly limits: FailureLimits;
  readonly known: readonly KnownError[];
  readonly recoverable: readonly RecoverableError[];
  readonly labels: LabelKnowledge;
}

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
