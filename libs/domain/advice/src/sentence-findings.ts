import type { ExperimentType } from '@fleet/contracts';
import type { ProgramKnowledge } from '@fleet/knowledge-model';
import { actionsOf, type Action, type SentenceActions } from './actions';
import { isFoundIn, matchesIn, matchesOf, type AdviceWords } from './compile-words';
import { fileWishesOf, type FileWish } from './file-wishes';
import { leftoversIn, symbolsIn, type Leftover } from './leftovers';
import { countOf } from './numbers';
import { selectionOf, type NamedAtoms } from './selections';
import { cuesOf, marksOf, mentionsOf, type Mark } from './marks';
import { denialsIn, type Denials, type Thing } from './negations';
import type { Sentence } from './sentences';
import { overlap, spanOf, type Span } from './spans';
import {
  assignmentsOf,
  isOfOthers,
  placeOfValue,
  settingMatches,
  spansOfValues,
  targetsOf,
  valuesOf,
  type FoundValues,
  type SettingMatch,
} from './values';

type Rounds = keyof AdviceWords['rounds'];

/** Everything that one sentence says. */
export interface SentenceFindings {
  readonly sentence: Sentence;
  readonly found: SentenceActions;
  readonly denials: Denials;
  readonly values: FoundValues;
  readonly targets: ReturnType<typeof targetsOf>;
  readonly rounds: readonly (Span & { readonly of: Rounds; readonly count: number })[];
  readonly files: readonly FileWish[];
  readonly skipsValidation: boolean;
  /** Where a validation is asked for. */
  readonly validations: readonly Span[];
  readonly phasing: readonly (Span & {
    readonly way: 'mr_sad' | 'experimental' | 'molecular_replacement';
    readonly wanted: boolean;
  })[];
  readonly runsMrSad: boolean;
  readonly stopsNow: boolean;
  readonly stepByStep: boolean;
  readonly hasGoal: boolean;
  /** Atoms that an omit map is asked for. */
  readonly atoms: NamedAtoms | undefined;
  /** What nothing was read from. */
  readonly leftovers: readonly Leftover[];
  /** A condition, or a question: nothing in it is followed. */
  readonly isOpen: 'condition' | 'question' | undefined;
}

export interface SentenceSources {
  readonly words: AdviceWords;
  readonly programs: Readonly<Record<string, ProgramKnowledge>>;
  readonly experiment: ExperimentType;
}

const roundsOf = (words: AdviceWords, sentence: Sentence): SentenceFindings['rounds'] => {
  const taken: Span[] = [];
  return (['refinements', 'macro_cycles', 'cycles'] as const).flatMap((of) =>
    words.rounds[of].flatMap((pattern) =>
      matchesIn(pattern, sentence).flatMap((match) => {
        const span = spanOf(match);
        const count = countOf(match.groups?.['n'] ?? '', words.knowledge);
        if (count === undefined || count < 1 || taken.some((other) => overlap(span, other))) return [];
        taken.push(span);
        return [{ ...span, of, count }];
      }),
    ),
  );
};

const validationOf = (
  words: AdviceWords,
  sentence: Sentence,
  denials: Denials,
): Pick<SentenceFindings, 'skipsValidation' | 'validations'> => {
  const found = words.validation.flatMap((pattern) => matchesIn(pattern, sentence)).map(spanOf);
  return {
    skipsValidation: found.some((span) => denials.of(span) === 'near'),
    validations: found.filter((span) => denials.of(span) === undefined),
  };
};

const phasingOf = (words: AdviceWords, sentence: Sentence, denials: Denials): SentenceFindings['phasing'] => {
  const ways = [
    ['mr_sad', words.mrSad],
    ['experimental', words.experimental],
    ['molecular_replacement', words.molecularReplacement],
  ] as const;
  const mrSad = matchesIn(words.mrSad, sentence).map(spanOf);
  return ways.flatMap(([way, pattern]) =>
    matchesIn(pattern, sentence)
      .map(spanOf)
      .filter((span) => way === 'mr_sad' || !mrSad.some((other) => overlap(span, other)))
      .filter((span) => denials.of(span) !== 'far')
      .map((span) => ({ ...span, way, wanted: denials.of(span) === undefined })),
  );
};

const openOf = (
  words: AdviceWords,
  sentence: Sentence,
  { isDenied, rounds, targets }: Pick<SentenceFindings, 'rounds' | 'targets'> & { readonly isDenied: boolean },
): SentenceFindings['isOpen'] => {
  const { plain } = sentence;
  // "Stop when R-free reaches 0.25" is a target, "no waters until R-free < 0.3" a condition.
  if (isDenied && isFoundIn([words.until], sentence)) return 'condition';
  if (targets.length > 0 && !isDenied && !/\b(?:if|unless|whenever)\b/.test(plain)) return undefined;
  if (isQuestion(plain)) return 'question';
  if (rounds.some(({ of }) => of === 'cycles') || isCheck(plain)) return undefined;
  return waits(plain) || isFoundIn(words.conditions, sentence) ? 'condition' : undefined;
};

/** "Could you run phaser?" asks politely. */
const isQuestion = (plain: string): boolean =>
  /\?["')\]]?$/.test(plain) && !/^(?:(?:please|and|so|hi|hello),? )?(?:can|could|would|will) you\b/.test(plain);

/** Something is not to be done until something else. */
const waits = (plain: string): boolean =>
  /\buntil\b/.test(plain) && /\b(?:no|not|without|never|don't|dont)\b/.test(plain);

/** "to check if it worked" asks; it sets no condition. */
const isCheck = (plain: string): boolean =>
  /\b(?:check|see|test|find out|know|determine|verify|decide) (?:if|whether)\b/.test(plain) &&
  !/^(?:if|unless)\b/.test(plain);

/** Its words begin where words of the sentence do: what may be found in the one may be found in the other. */
const asksToStopNow = ({ stopNow }: AdviceWords, { plain, may }: Sentence): boolean =>
  stopNow.some(({ id }) => may[id] === 1) &&
  isFoundIn(stopNow, { plain: plain.replaceAll(/[^a-z']+/g, ' ').trim(), may });

const anyNumber = /(?<![\w.,])\d+(?:[.,]\d+)?/g;

/** Everything that a negation may reach, in the order of the sentence. */
const thingsOf = (
  { plain, words: written, files }: Sentence,
  marks: readonly Mark[],
  matches: readonly SettingMatch[],
  others: readonly (readonly [kind: string, spans: readonly Span[]])[],
): readonly Thing[] =>
  [
    ...marks.filter(({ kind }) => kind !== 'cue').map(({ start, end }) => ({ start, end, kind: 'program' })),
    ...matches.map((one) => ({
      ...spanOf(one.match),
      kind: one.of.type === 'flag' ? 'flag' : one.of.key,
      ...(one.match.groups?.['value'] === undefined ? {} : { value: placeOfValue(one) }),
    })),
    ...others.flatMap(([kind, spans]) => spans.map(({ start, end }) => ({ start, end, kind }))),
    ...files.map(({ start, end }) => ({ start, end, kind: 'file' })),
    ...symbolsIn(written).map((span) => ({ ...span, kind: 'space_group' })),
    ...matchesOf(anyNumber, plain).map((match) => ({ ...spanOf(match), kind: 'figure' })),
  ].sort((one, other) => one.start - other.start);

const asksAt = (mark: Mark): boolean =>
  mark.kind === 'program' ? mark.asks : mark.kind === 'cue' && !['given', 'again'].includes(mark.cue);

const denialsOf = (
  words: AdviceWords,
  { plain }: Sentence,
  marks: readonly Mark[],
  things: readonly Thing[],
): Denials => {
  const named = marks.filter((mark) => mark.kind === 'program' && !mark.skips);
  // "Omit map": a word of a program's name denies nothing.
  const cues = cuesOf(marks).filter((cue) => !named.some((mark) => mark.start === cue.start && mark.end > cue.end));
  // "Dock in map" is a name.
  const names = named.filter((mark) => mark.kind === 'program' && !mark.asks);
  const isName = (mark: Mark): boolean => names.some(({ start, end }) => start === mark.start && end === mark.end);
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
    things,
  });
};

/** The atoms of an omit map: named behind it as far as nothing else begins, or before it. */
const atomsOf = ({ words }: Sentence, omitMap: Action | undefined, verbs: readonly Span[]): NamedAtoms | undefined => {
  if (omitMap === undefined) return undefined;
  const next = verbs.find(({ start }) => start >= omitMap.end && /\b(?:and|then|,) ?$/.test(words.slice(0, start)));
  const blank = (text: string): string => ' '.repeat(text.length);
  return (
    selectionOf(blank(words.slice(0, omitMap.start)) + words.slice(omitMap.start, next?.start ?? words.length)) ??
    selectionOf(words.slice(0, omitMap.start))
  );
};

/** Reads one sentence. */
export const findingsOf = (sentence: Sentence, { words, programs, experiment }: SentenceSources): SentenceFindings => {
  const place = { words, programs, sentence };
  const marks = marksOf(sentence, words, experiment);
  const matches = settingMatches(words, sentence);
  const rest = matchesOf(words.rest, sentence.plain).map((match) => ({ ...spanOf(match), program: 'default' }));
  const mentions = [...mentionsOf(marks), ...rest].sort((one, other) => one.start - other.start);
  const assigned = assignmentsOf(place, mentions);
  const allRounds = roundsOf(words, sentence);
  const allTargets = targetsOf(words, sentence);
  const denials = denialsOf(
    words,
    sentence,
    marks,
    thingsOf(sentence, marks, matches, [
      ['assigned', [...assigned.values, ...assigned.refused]],
      ['rounds', allRounds],
      ['target', allTargets],
    ]),
  );
  const isLeft = (span: Span): boolean => denials.of(span) === undefined;
  const goesOn = cuesOf(marks).filter(({ cue }) => cue === 'go_on');
  const rounds = allRounds.filter(
    (one) => isLeft(one) && !isOfOthers(place, one) && !goesOn.some((cue) => overlap(cue, one)),
  );
  const targets = allTargets.filter(isLeft);
  const inValues = [...spansOfValues(matches), ...allTargets, ...assigned.values, ...assigned.refused];
  const allValues = [...matches.map(({ match }) => spanOf(match)), ...assigned.values];
  const found = actionsOf(sentence, words, marks, { values: inValues, allValues, rounds, allRounds, denials });
  const values = valuesOf(place, { mentions, denials }, assigned, matches);
  const phasing = phasingOf(words, sentence, denials);
  const files = fileWishesOf(sentence, denials);
  const isOmitMap = ({ program, mode }: Action): boolean =>
    program === words.knowledge.meant.omit_map.program && (mode === 'run' || mode === 'prefer');
  const atoms = atomsOf(sentence, found.actions.find(isOmitMap), [
    ...matchesOf(words.fieldVerbs, sentence.plain).map(spanOf),
  ]);
  const owners = mentions.filter(({ program }) =>
    [...values.values, ...values.refused].some((one) => one.program === program),
  );
  const said = [words.mrSad, words.initialModel, ...words.validation, ...words.goals, ...words.stepByStep];
  const read = [
    ...values.values,
    ...values.refused,
    ...targets,
    ...rounds,
    ...files,
    ...phasing,
    ...found.actions,
    ...found.cues,
    ...(found.stop === undefined ? [] : found.before),
    ...owners,
    ...(atoms?.spans ?? []),
    ...said.flatMap((pattern) => matchesIn(pattern, sentence).map(spanOf)),
  ];
  const isDenied = cuesOf(marks).some(({ cue }) => cue === 'skip');
  return {
    sentence,
    found,
    denials,
    values,
    targets,
    rounds,
    files,
    atoms,
    ...validationOf(words, sentence, denials),
    phasing,
    runsMrSad: isFoundIn([words.mrSadTask], sentence) && !found.actions.some(({ mode }) => mode === 'skip'),
    stopsNow: asksToStopNow(words, sentence),
    stepByStep: isFoundIn(words.stepByStep, sentence),
    hasGoal: isFoundIn(words.goals, sentence),
    leftovers: leftoversIn(sentence, words, { programs: mentionsOf(marks), read }),
    isOpen: openOf(words, sentence, { isDenied, rounds, targets }),
  };
};

/** Programs that the sentence wants to run, in its order. */
export const wantedActions = ({ found }: SentenceFindings): readonly Action[] =>
  found.actions.filter(({ mode }) => mode === 'run' || mode === 'prefer');
