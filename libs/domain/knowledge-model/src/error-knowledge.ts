import type { StrategyValue } from '@fleet/contracts/schema';

/**
 * What an error says about the next run: `terminal` comes again until the files or the machine are others, `parameter` and `labels` go
 * away with another command, `retryable` may go away by itself.
 */
export type ErrorClass = 'terminal' | 'parameter' | 'labels' | 'retryable';

/** knowledge/errors.yaml, `known`: a text that programs print when they fail, in words that a user can act on. */
export interface KnownError {
  readonly id: string;
  readonly class: ErrorClass;
  /** Only these programs mean it by these words; absent: whoever prints them. */
  readonly programs?: readonly string[];
  /** Any of these stands in the log, whatever the case. */
  readonly text: readonly string[];
  /** Who says this at the end has no result, whatever exit code and numbers say. */
  readonly ends_run?: true;
  /** One plain sentence: what went wrong. */
  readonly means: string;
  /** One plain sentence: what to do about it. */
  readonly remedy: string;
}

/** What makes the next run of a program different, so that an error does not come back. */
export type RecoveryAction =
  /** Names one of the arrays that the log lists, by the kind of data that the program and the workflow need. */
  | { readonly choose: 'data_labels' | 'phase_labels' }
  | { readonly set: Readonly<Record<string, StrategyValue>> }
  | { readonly drop_keys: readonly string[] }
  | { readonly drop_slots: readonly string[] }
  /** Leaves out the parameter that the error names; patterns with a group `parameter`. */
  | { readonly drop_named: readonly string[] };

/** knowledge/errors.yaml, `recoverable`: a known error after which the same program is tried again in another way. */
export interface RecoverableError {
  /** Id of a known error. */
  readonly id: string;
  /** How often the same program may fail with it and still be tried again. */
  readonly retries: number;
  readonly action: RecoveryAction;
  readonly why: string;
}

/** knowledge/errors.yaml, `labels`: how one of several arrays is chosen. Texts are looked for whatever the case. */
export interface LabelKnowledge {
  /** Parts of labels of anomalous arrays. */
  readonly anomalous: readonly string[];
  readonly anomalous_programs: readonly string[];
  readonly merged_programs: readonly string[];
  /** Words of the submitter's advice; they decide for programs that take either kind. */
  readonly anomalous_words: readonly string[];
  /** Strategy key that takes a label, by program; `default` for the others. */
  readonly key: Readonly<Record<string, string>>;
  /** Strategy key that takes the labels of a set of phases, by program; the others have none. */
  readonly phase_key: Readonly<Record<string, string>>;
}

/** knowledge/errors.yaml, `limits`: after how many failures a program leaves the menu. */
interface FailureLimits {
  readonly in_a_row: number;
  /** In the whole session, of a program that refines, and of any other. */
  readonly of_refinement: number;
  readonly of_others: number;
}

/** knowledge/errors.yaml, `endings`: a log that has the first text, and at its end none of the others, broke off. */
interface ExpectedEnding {
  /** A line begins with it, where the program has begun. */
  readonly begins: string;
  /** Any of these stands in its last lines, where it came to its end. */
  readonly ends: readonly string[];
  readonly why: string;
}

/** knowledge/errors.yaml */
export interface ErrorKnowledge {
  /** Any of these in the last lines of a log makes the run a failure, whatever the case (phenix-agent.md#failure-words). A bare "error" does not. */
  readonly failure_words: readonly string[];
  /** A line with one of these is not a failure of a run that measured something and left its outputs, whatever word of failure it holds. */
  readonly partial_words: readonly string[];
  /** A program that crashed says one of these: a failure, and terminal. */
  readonly terminal_words: readonly string[];
  readonly endings: readonly ExpectedEnding[];
  readonly limits: FailureLimits;
  readonly known: readonly KnownError[];
  readonly recoverable: readonly RecoverableError[];
  readonly labels: LabelKnowledge;
}

/** Log lines broken anywhere still hold a known text; one that begins with a space begins a word. */
const flat = (lines: readonly string[]): string => ` ${lines.join(' ')}`.replaceAll(/\s+/g, ' ').toLowerCase();

/**
 * The known error that a failed run of a program states, if any: the first in the order of errors.yaml.
 * @param program exact name; a text that belongs to other programs says nothing here
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
