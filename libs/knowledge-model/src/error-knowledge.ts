/** knowledge/errors.yaml, `known`: a text that programs print when they fail, in words that a user can act on. */
export interface KnownError {
  readonly id: string;
  /** Any of these stands in the log, whatever the case. */
  readonly text: readonly string[];
  /** One plain sentence: what went wrong. */
  readonly means: string;
  /** One plain sentence: what to do about it. */
  readonly remedy: string;
}

/** knowledge/errors.yaml */
export interface ErrorKnowledge {
  /** Any of these in the last lines of a log makes the run a failure, whatever the case (seed 000). A bare "error" does not. */
  readonly failure_words: readonly string[];
  readonly known: readonly KnownError[];
}
