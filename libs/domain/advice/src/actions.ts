import type { CueName } from '@fleet/knowledge-model';
import type { AdviceWords } from './compile-words';
import { withoutOverlaps, type Mark } from './marks';
import type { Denials } from './negations';
import { actionOf, SentenceReader, type Action } from './sentence-reader';
import type { Sentence } from './sentences';
import type { Span } from './spans';

/** What a sentence says about programs, and where. */
export interface SentenceActions {
  readonly actions: readonly Action[];
  /** Words that request the end after what was named before. */
  readonly stop: Span | undefined;
  /** A verb that requests the end after what is named behind it; not "up to". */
  readonly stopAfter: Span | undefined;
  /** Words that negate an end. */
  readonly goesOn: boolean;
  /** One action follows another. */
  readonly isSequence: boolean;
  /** Programs that something follows: "once phaser is done". */
  readonly before: readonly Action[];
  /** Verbs of values, which are what an end in the next sentence follows: "refine to 2.3 Å". */
  readonly ofValues: readonly Action[];
  /** Other words that the reading is based on, besides program names. */
  readonly cues: readonly Span[];
  /** Positions where "then" and similar words begin another action. */
  readonly turns: readonly Span[];
  /** The sentence contains a request. */
  readonly asks: boolean;
}

type CueMark = Extract<Mark, { readonly kind: 'cue' }>;

const isOrder = (plain: string, cues: readonly CueMark[]): boolean =>
  cues.some(
    ({ cue, start, end }) =>
      cue === 'first' || cue === 'start' || (cue === 'again' && !/but|however|instead/.test(plain.slice(start, end))),
  );

/**
 * Reads what a sentence says about programs.
 * @param known see `marksOf`
 * @param spans of values that contain a program's name without requesting it, of all possible values, and of numbers of rounds, which request
 * what they count
 */
export const actionsOf = (
  sentence: Sentence,
  words: AdviceWords,
  known: readonly Mark[],
  {
    values,
    allValues,
    rounds,
    allRounds,
    denials,
  }: Readonly<Record<'values' | 'allValues' | 'rounds' | 'allRounds', readonly Span[]>> & { readonly denials: Denials },
): SentenceActions => {
  const { plain } = sentence;
  const isEnd = known.some((mark) => mark.kind === 'cue' && mark.cue === 'stop');
  const settings = values.map((span): Mark => ({ ...(isEnd ? behindVerb(span, known) : span), kind: 'settings' }));
  const marks = withoutOverlaps([...settings, ...known]);
  const cues = marks.filter((mark): mark is CueMark => mark.kind === 'cue');
  const isSequence = isOrder(plain, cues);
  const namesAsk = isSequence || isOnlyNames(plain, marks);
  const reader = new SentenceReader(plain, words, {
    namesAsk,
    ends: cues.filter(({ cue }) => cue === 'stop').map(({ start }) => start),
    rounds,
    allRounds,
    allValues,
    denials,
  });
  for (const mark of marks) {
    if (mark.kind === 'cue') reader.cue(mark, mark.cue);
    if (mark.kind === 'program') reader.program(mark);
  }
  return {
    actions: reader.actions,
    before: reader.before,
    ofValues: (values.length === 0 ? [] : known).flatMap((mark) =>
      mark.kind === 'program' &&
      mark.asks &&
      denials.of(mark) === undefined &&
      values.some(({ start }) => start === mark.start)
        ? [actionOf(mark, { mode: 'run', only: false, first: false })]
        : [],
    ),
    stop: cues.findLast(({ cue }) => cue === 'stop'),
    stopAfter: cues.findLast(({ cue, start }) => cue === 'stop_after' && words.stopVerb.test(plain.slice(start))),
    goesOn: cues.some(({ cue }) => cue === 'go_on'),
    isSequence,
    cues: cues.filter(({ cue }) => cue !== 'given'),
    turns: cues.filter(({ cue }) => cue === 'again'),
    asks: cues.some(
      ({ cue, start }) => isRequest.has(cue) || (isVerb.has(cue) && /^(?:please )?$/.test(plain.slice(0, start))),
    ),
  };
};

/** "Refine to 2 Å and stop": if a sentence contains an end, the verb before a value is the action before it. */
const behindVerb = (span: Span, known: readonly Mark[]): Span => {
  const verb = known.find((mark) => mark.kind === 'program' && mark.asks && mark.start === span.start);
  return verb === undefined || verb.end >= span.end ? span : { start: verb.end, end: span.end };
};

/** Cues that are requests anywhere; a verb is one only at the beginning of its sentence. */
const isRequest: ReadonlySet<CueName> = new Set(['skip', 'only', 'prefer']);
const isVerb: ReadonlySet<CueName> = new Set(['run', 'use', 'start']);

const onlyNames =
  /^(?:[a-z ]{1,30}: (?!\d))?(?:\b(?:please|pls|thanks|thank you|and|or|only|just)\b|[a-z][\w.]*=[^\w ]+|[^a-z])*$/;
/** "One refinement, ligandfit, final refinement". */
const whichRefinement = /\b(?:one|another|an|initial|first|final|last)(?= refinement\b)/g;

/** Only names: "xtriage", "phaser, refine". */
const isOnlyNames = (plain: string, marks: readonly Mark[]): boolean => {
  if (!marks.some(({ kind }) => kind === 'program')) return false;
  let rest = plain.replaceAll(whichRefinement, (word) => ' '.repeat(word.length));
  for (const { start, end } of marks) rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  return onlyNames.test(rest);
};
