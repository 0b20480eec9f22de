import type { ExperimentType } from '@fleet/contracts/sessions';
import type { CueName, ProgramWords } from '@fleet/knowledge-model';
import { matchesIn, type AdviceWords, type WordPattern } from './compile-words';
import type { Sentence } from './sentences';
import { overlap, spanOf, type Span } from './spans';

/** A known part of a sentence: a program, a cue that changes the meaning, a value. */
export type Mark = Span &
  (
    | { readonly kind: 'program'; readonly words: ProgramWords; readonly asks: boolean; readonly skips: boolean }
    | { readonly kind: 'cue'; readonly cue: CueName }
    | { readonly kind: 'validation' | 'mr_sad' | 'settings' }
  );

const isFor = ({ experiments }: ProgramWords, experiment: ExperimentType): boolean =>
  experiments === undefined || experiments.includes(experiment);

/** A program that a sentence names, and that is not for the kind of data; undefined if it also names one that is. */
export const foreignProgram = (
  sentence: Sentence,
  { names }: AdviceWords,
  experiment: ExperimentType,
): string | undefined => {
  const named = names.filter((name) => matchesIn(name, sentence).length > 0);
  return named.some(({ of }) => isFor(of, experiment)) ? undefined : named[0]?.of.program;
};

/** All programs and cues in a sentence, including overlaps. */
export const marksOf = (sentence: Sentence, words: AdviceWords, experiment: ExperimentType): readonly Mark[] => {
  const marks: Mark[] = [];
  const spansOf = (pattern: WordPattern): readonly Span[] => {
    const found = matchesIn(pattern, sentence);
    return found.length === 0 ? none : found.filter(([text]) => text.trim() !== '').map(spanOf);
  };
  for (const kind of programMarks) {
    for (const program of words[kind].filter(({ of }) => isFor(of, experiment)))
      for (const span of spansOf(program))
        marks.push({ ...span, kind: 'program', words: program.of, asks: kind === 'acts', skips: kind === 'skips' });
  }
  for (const cue of words.cues) for (const span of spansOf(cue)) marks.push({ ...span, kind: 'cue', cue: cue.of });
  for (const pattern of words.validation)
    for (const span of spansOf(pattern)) marks.push({ ...span, kind: 'validation' });
  for (const span of spansOf(words.mrSad)) marks.push({ ...span, kind: 'mr_sad' });
  return marks;
};

const programMarks = ['acts', 'names', 'skips'] as const;
const none: readonly Span[] = [];

const rank = ({ kind }: Mark): number => (kind === 'cue' ? 1 : 0);

/** Of marks on the same words the longest stays; program names take precedence over cues. */
export const withoutOverlaps = (marks: readonly Mark[]): readonly Mark[] => {
  if (marks.length < 2) return marks;
  const best = marks.toSorted(
    (one, other) =>
      rank(one) - rank(other) || other.end - other.start - (one.end - one.start) || one.start - other.start,
  );
  const apart: Mark[] = [];
  for (const mark of best) if (!apart.some((other) => overlap(mark, other))) apart.push(mark);
  return apart.sort((one, other) => one.start - other.start);
};

/** Cues of a sentence, without those inside longer ones. */
export const cuesOf = (marks: readonly Mark[]): readonly Extract<Mark, { readonly kind: 'cue' }>[] =>
  withoutOverlaps(marks.filter((mark) => mark.kind === 'cue')).filter((mark) => mark.kind === 'cue');

/** A program name, requested or not: settings beside it belong to it. */
export interface Mention extends Span {
  readonly program: string;
}

/** All programs that marks name, in their order. */
export const mentionsOf = (marks: readonly Mark[]): readonly Mention[] =>
  withoutOverlaps(marks).flatMap((mark) =>
    mark.kind === 'program' ? [{ program: mark.words.program, start: mark.start, end: mark.end }] : [],
  );
