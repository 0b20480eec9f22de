import type { Span } from './spans';

/** A part of a sentence that may be requested, with its kind: a program, a file, a value of a key, a number. */
export interface Thing extends Span {
  readonly kind: string;
  /** Only the value, if the thing includes words before it. */
  readonly value?: Span;
}

/** A part of a sentence that requests nothing. */
export interface IdlePart extends Span {
  /** It speaks of some rounds only. */
  readonly isOfRounds: boolean;
}

/** The words of a sentence that negations depend on. */
export interface SentenceParts {
  readonly plain: string;
  /** Words before what they negate: "do not use", "without". */
  readonly before: readonly Span[];
  /** Words after it: "should not be used". */
  readonly behind: readonly Span[];
  /** Verbs of requests: "use", "refine". */
  readonly verbs: readonly Span[];
  readonly things: readonly Thing[];
  readonly idle: readonly IdlePart[];
}
