import { isFoundIn, matchesIn, matchesOf, type AdviceWords, type WordPattern } from './compile-words';
import { symbolsIn } from './leftovers';
import { cuesOf, type Mark } from './marks';
import { denialsIn, type Denials } from './negations';
import type { IdlePart, Thing } from './sentence-parts';
import type { Sentence } from './sentences';
import { overlap, spanOf, type Span } from './spans';
import { mayHaveState } from './states';
import { spanOfValue, type SettingMatch } from './values';

/** Things that a negation may apply to, besides programs, files and numbers; `others` by their kind. */
interface KnownThings {
  readonly matches: readonly SettingMatch[];
  readonly others: Readonly<Record<string, readonly Span[]>>;
}

const anyNumber = /(?<![\w.,])\d+(?:[.,]\d+)?/g;

/** Everything that a negation may apply to, in the order of the sentence. */
const thingsOf = (
  { plain, words: written, files }: Sentence,
  marks: readonly Mark[],
  { matches, others }: KnownThings,
): readonly Thing[] =>
  [
    ...marks.filter(({ kind }) => kind !== 'cue').map(({ start, end }) => ({ start, end, kind: 'program' })),
    ...matches.map((one) => ({
      ...spanOf(one.match),
      kind: one.of.type === 'flag' || one.of.type === 'absence' ? 'flag' : one.of.key,
      ...(one.match.groups?.['value'] === undefined ? {} : { value: spanOfValue(one) }),
    })),
    ...Object.entries(others).flatMap(([kind, spans]) => spans.map(({ start, end }) => ({ start, end, kind }))),
    ...files.map(({ start, end }) => ({ start, end, kind: 'file' })),
    ...symbolsIn(written).map((span) => ({ ...span, kind: 'space_group' })),
    ...matchesOf(anyNumber, plain).map((match) => ({ ...spanOf(match), kind: 'figure' })),
  ].sort((one, other) => one.start - other.start);

const asksAt = (mark: Mark): boolean =>
  mark.kind === 'program' ? mark.asks : mark.kind === 'cue' && !['given', 'again'].includes(mark.cue);

const nothingDenied: Denials = { of: () => undefined, whyNot: () => '', isOn: () => false, denies: false };

/** Another part of a sentence begins after these. A comma continues what began before it, unless a verb or subject follows: "last time it failed, use 2". */
const partStart =
  /[;(]|, |\b(?:but|then|because|since|so(?! far)|therefore|however|instead|(?<!not )now)\b|\band (?=(?:i|we|please)\b|[a-z ]{1,40} later\b)/g;
const subject = /^(?:please|i|we|it|they|this|do|don't|the (?:model|structure|data|maps?) (?:is|are))\b/;

/** The parts of a sentence that request nothing. */
const idleParts = (
  { ownWork, noOrder, someRounds }: AdviceWords,
  sentence: Sentence,
  verbs: readonly Span[],
): readonly IdlePart[] => {
  const found = (patterns: readonly WordPattern[], isOfRounds: boolean): readonly IdlePart[] =>
    patterns.flatMap((pattern) => matchesIn(pattern, sentence)).map((match) => ({ ...spanOf(match), isOfRounds }));
  const cues = [...found([...ownWork, ...noOrder], false), ...found(someRounds, true)];
  if (cues.length === 0) return cues;
  const { plain } = sentence;
  const starts = matchesOf(partStart, plain).map(spanOf);
  const ends = starts.filter(
    ({ start, end }) =>
      plain[start] !== ',' || subject.test(plain.slice(end)) || verbs.some((verb) => verb.start === end),
  );
  return cues.map(({ isOfRounds, ...cue }) => {
    const start = ends.findLast(({ end }) => end <= cue.start)?.end ?? 0;
    const comma = starts.findLast(({ end }) => end <= cue.start)?.end ?? 0;
    return {
      // "Refine with TLS, ligand later".
      start: verbs.some((verb) => verb.start >= start && verb.end <= comma) ? comma : start,
      // "In the last round, add waters".
      end: ends.find(({ start: next }) => next >= cue.end + Number(isOfRounds))?.start ?? plain.length,
      isOfRounds,
    };
  });
};

/** What the negations of a sentence apply to. */
export const denialsOf = (
  words: AdviceWords,
  sentence: Sentence,
  marks: readonly Mark[],
  known: KnownThings,
): Denials => {
  const isDenying = marks.some((mark) => mark.kind === 'cue' && (mark.cue === 'skip' || mark.cue === 'denied'));
  const { plain } = sentence;
  const idle = [...words.ownWork, ...words.noOrder, ...words.someRounds];
  if (!isDenying && !mayHaveState(plain) && !isFoundIn(idle, sentence)) return nothingDenied;
  const named = marks.filter((mark) => mark.kind === 'program' && !mark.skips);
  // "Omit map": a word of a program's name is not a negation.
  const cues = cuesOf(marks).filter((cue) => !named.some((mark) => mark.start === cue.start && mark.end > cue.end));
  // "Dock in map" is a name.
  const names = named.filter((mark) => mark.kind === 'program' && !mark.asks);
  const isName = (mark: Mark): boolean => names.some(({ start, end }) => start === mark.start && end >= mark.end);
  const verbs = matchesOf(words.verbs, plain)
    .map(spanOf)
    .filter((verb) => !names.some((name) => overlap(name, verb)));
  return denialsIn({
    plain,
    before: cues.filter(({ cue }) => cue === 'skip'),
    behind: cues.filter(({ cue }) => cue === 'denied'),
    verbs: [...marks.filter((mark) => asksAt(mark) && !isName(mark)), ...verbs].sort(
      (one, other) => one.start - other.start,
    ),
    things: thingsOf(sentence, marks, known),
    idle: idleParts(words, sentence, verbs),
  });
};
