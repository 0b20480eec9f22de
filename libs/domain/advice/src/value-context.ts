import type { StrategyValue } from '@fleet/contracts/schema';
import { strategyKeyNamed, type ProgramKnowledge } from '@fleet/knowledge-model';
import { matchesOf, type AdviceWords } from './compile-words';
import type { Mention } from './marks';
import type { Sentence } from './sentences';
import type { Span } from './spans';

/** A value in a sentence. */
export interface FoundValue extends Span {
  /** A program, or `default`. */
  readonly program: string;
  readonly key: string;
  readonly value: StrategyValue;
  /** Applies to refinement as a whole: "refine to 2.5 Å". */
  readonly ofRefinement: boolean;
}

/** A value that is not set, and the reason. */
export interface RefusedValue extends Span {
  readonly why: string;
  /** Its program, if known. */
  readonly program?: string;
}

export interface FoundValues {
  readonly values: readonly FoundValue[];
  readonly refused: readonly RefusedValue[];
}

export type Programs = Readonly<Record<string, ProgramKnowledge>>;

/** Everything that reading values depends on. */
export interface ValueContext {
  readonly words: AdviceWords;
  readonly programs: Programs;
  readonly sentence: Sentence;
}

const clauseEnd = /[;]|\bbut\b|\bthen\b/g;

const knows = (programs: Programs, program: string, key: string): boolean => {
  const knowledge = programs[program];
  return knowledge !== undefined && strategyKeyNamed(knowledge, key) !== undefined;
};

/** The program of a value, by the names in its clause. */
export interface Beside {
  readonly program?: string;
  /** The value is for this program, which does not have the key. */
  readonly lacking?: string;
}

/** Maximum distance between a value and its program, in characters. */
const reach = { behind: 25, before: 40 };

/** The program of a value: one that has the key and is named beside it, in the same clause; one after "in" or "for" takes precedence. */
export const programBeside = (
  { sentence: { plain }, programs }: ValueContext,
  span: Span,
  mentions: readonly Mention[],
  key: string,
): Beside => {
  const ends = matchesOf(clauseEnd, plain).map(({ index }) => index);
  const from = Math.max(0, ...ends.filter((end) => end <= span.start));
  const to = Math.min(plain.length, ...ends.filter((end) => end >= span.end));
  const beside = mentions.filter(({ start, end }) => start >= from && end <= to);
  const isFor = ({ start }: Span): boolean => /\b(?:in|for|with|during|of)\b|^ ?$/.test(plain.slice(span.end, start));
  const after = beside.find((one) => one.start >= span.end && one.start - span.end <= reach.behind && isFor(one));
  const before = beside.findLast(({ end }) => end <= span.start && span.start - end <= reach.before);
  const named = (after ?? before)?.program;
  if (named === undefined) return {};
  if (named === 'default' || knows(programs, named, key)) return { program: named };
  const isSaid =
    after !== undefined && /^ ?(?:å |a )?(?:in|for|during) (?:the )?$/.test(plain.slice(span.end, after.start));
  return isSaid ? { lacking: named } : {};
};

const clauseStart = /[;:]|, |\b(?:but|then)\b/g;

/** The clause that contains a position of a sentence. */
const clauseAt = (plain: string, { start, end }: Span): Span => {
  const before = matchesOf(clauseStart, plain.slice(0, start)).at(-1);
  const behind = plain.slice(end).search(clauseStart);
  return {
    start: before === undefined ? 0 : before.index + before[0].length,
    end: behind < 0 ? plain.length : end + behind,
  };
};

/** "We refined with TLS". */
const done = /\b(?:we|i|they|he|she|people)(?: have| had)?(?: already| also| then)? [a-z]{2,12}ed\b/;

const past = /\b(?:was|were|(?:has|have|had) been)\b/;

type SentenceContext = Pick<ValueContext, 'sentence' | 'words'>;

/** Whether a sentence is a description or report without a request: "simulated annealing was tried". */
export const isDescription = ({ sentence: { plain }, words }: SentenceContext, span: Span): boolean => {
  const clause = clauseAt(plain, span);
  const before = plain.slice(clause.start, span.end);
  const hasVerb = before.search(words.verbs) >= 0;
  const isOrder = words.requesting.test(before) || hasVerb;
  return (
    done.test(before) ||
    (past.test(before) && !hasVerb) ||
    (!isOrder && words.told.test(plain.slice(clause.start, clause.end)))
  );
};

/** About another crystal or structure: "the homologue diffracted to 1.8 Å". */
export const isOfOthers = ({ sentence: { plain }, words }: SentenceContext, span: Span): boolean => {
  const clause = clauseAt(plain, span);
  const text = plain.slice(clause.start, clause.end);
  return words.others.test(text) && text.search(words.verbs) < 0;
};

/** "2 or 3 copies", "2.0-2.5 Å": ambiguous. In "50-2.1 Å" the second is the limit. */
export const isOneOfSeveral = ({ sentence: { raw } }: SentenceContext, { start, end }: Span, key: string): boolean =>
  /^ ?(?:å|a|copies)? ?(?:or|to|-|–|\/) ?(?:-?\d|[pcifrh] ?\d|(?:its|an?|the)\b)/.test(raw.slice(end)) ||
  (key === 'resolution' ? secondOfTwo : second).test(raw.slice(0, start));

const second = /\d ?(?:å|a)? ?(?:or|to|-|–|\/) ?$/;
const secondOfTwo = /(?<!\d)\d(?:[.,]\d+)? ?(?:å|a)? ?(?:or|to|-|–|\/) ?$/;
