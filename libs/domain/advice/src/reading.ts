import type { SessionDirectives, StrategyValue } from '@fleet/contracts';
import type { RemovedText } from './clean-advice';

/** One thing that was understood. */
export interface UnderstoodWish {
  /** Path in the directives, for example `stop_conditions.after_program`. */
  readonly field: string;
  readonly value: StrategyValue | readonly string[];
  /** The words of the text that say so. */
  readonly words: string;
  /** What will happen, in one sentence. */
  readonly says: string;
}

/** A program that the text wants to run. */
export interface AskedProgram {
  readonly program: string;
  /** How often; more than once for refinements alone. */
  readonly times: number;
}

/** A part of the text that no rule follows, and why. */
export interface UnfollowedWords {
  readonly words: string;
  readonly why: string;
}

/** What was understood of a text, by rules alone. */
export interface AdviceReading {
  /** The text that was read. */
  readonly text: string;
  readonly removed: readonly RemovedText[];
  readonly directives: SessionDirectives;
  /** The running session ends after its cycle. */
  readonly stopsNow: boolean;
  /** predict_and_build only predicts; what follows are steps of their own. */
  readonly stepByStep: boolean;
  /** Programs that the text wants to run, in its order: what new advice adds to a finished session. */
  readonly asked: readonly AskedProgram[];
  readonly understood: readonly UnderstoodWish[];
  /** What contradicts itself, and what will happen, one sentence each. */
  readonly conflicts: readonly string[];
  readonly notFollowed: readonly UnfollowedWords[];
}
