import type { ExperimentType } from '@fleet/contracts';
import type { ProgramKnowledge } from '@fleet/knowledge-model';
import { actionsOf, isNegated, type Action, type SentenceActions } from './actions';
import { isFoundIn, matchesIn, matchesOf, type AdviceWords } from './compile-words';
import { fileWishesOf, type FileWish } from './file-wishes';
import { countOf } from './numbers';
import { marksOf, mentionsOf } from './marks';
import type { Sentence } from './sentences';
import { overlap, spanOf, type Span } from './spans';
import { assignmentsOf, settingMatches, spansOfValues, targetsOf, valuesOf, type FoundValues } from './values';

type Rounds = keyof AdviceWords['rounds'];

/** Everything that one sentence says. */
export interface SentenceFindings {
  readonly sentence: Sentence;
  readonly found: SentenceActions;
  readonly values: FoundValues;
  readonly targets: ReturnType<typeof targetsOf>;
  readonly rounds: readonly (Span & { readonly of: Rounds; readonly count: number })[];
  readonly files: readonly FileWish[];
  readonly skipsValidation: boolean;
  readonly wantsValidation: boolean;
  readonly phasing: readonly (Span & {
    readonly way: 'mr_sad' | 'experimental' | 'molecular_replacement';
    readonly wanted: boolean;
  })[];
  readonly runsMrSad: boolean;
  readonly stopsNow: boolean;
  readonly stepByStep: boolean;
  readonly hasGoal: boolean;
  /** Figures that nothing was read from: a decimal number, or one with a unit. */
  readonly unreadFigures: readonly Span[];
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
  negations: readonly Span[],
): Pick<SentenceFindings, 'skipsValidation' | 'wantsValidation'> => {
  const negated = words.validation
    .flatMap((pattern) => matchesIn(pattern, sentence))
    .map(({ index }) => isNegated(sentence, negations, index));
  return { skipsValidation: negated.includes(true), wantsValidation: negated.includes(false) };
};

const phasingOf = (words: AdviceWords, sentence: Sentence, negations: readonly Span[]): SentenceFindings['phasing'] => {
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
      .map((span) => ({
        ...span,
        way,
        wanted: !negations.some(({ start, end }) => start < span.end && span.start - end <= 1),
      })),
  );
};

const openOf = (
  words: AdviceWords,
  sentence: Sentence,
  {
    negations,
    rounds,
    targets,
  }: Pick<SentenceFindings, 'rounds' | 'targets'> & { readonly negations: readonly Span[] },
): SentenceFindings['isOpen'] => {
  const { plain } = sentence;
  // "Stop when R-free reaches 0.25" is a target, "no waters until R-free < 0.3" a condition.
  if (forbidsUntil(words, sentence, negations)) return 'condition';
  if (targets.length > 0 && negations.length === 0 && !/\b(?:if|unless|whenever)\b/.test(plain)) return undefined;
  if (isQuestion(plain)) return 'question';
  if (rounds.some(({ of }) => of === 'cycles') || isCheck(plain)) return undefined;
  return waits(plain) || isFoundIn(words.conditions, sentence) ? 'condition' : undefined;
};

const forbidsUntil = (words: AdviceWords, sentence: Sentence, negations: readonly Span[]): boolean =>
  negations.length > 0 && isFoundIn([words.until], sentence);

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

const figure =
  /(?<![\w.])(?:\d+\.\d+(?![\w.])(?: ?(?:å|a|ang|angstroms?|ångströms?|kev|ev)(?![a-z]))?|\d+ ?(?:å|ang|angstroms?|ångströms?|kev|ev)(?![a-z]))/g;

const unreadFiguresOf = ({ plain }: Sentence, read: readonly Span[]): readonly Span[] =>
  matchesOf(figure, plain)
    .map(spanOf)
    .filter((span) => !read.some((other) => overlap(span, other)));

/** Its words begin where words of the sentence do: what may be found in the one may be found in the other. */
const asksToStopNow = ({ stopNow }: AdviceWords, { plain, may }: Sentence): boolean =>
  stopNow.some(({ id }) => may[id] === 1) &&
  isFoundIn(stopNow, { plain: plain.replaceAll(/[^a-z']+/g, ' ').trim(), may });

/** Reads one sentence. */
export const findingsOf = (sentence: Sentence, { words, programs, experiment }: SentenceSources): SentenceFindings => {
  const place = { words, programs, sentence };
  const rounds = roundsOf(words, sentence);
  const marks = marksOf(sentence, words, experiment);
  const matches = settingMatches(words, sentence);
  const mentions = mentionsOf(marks);
  const assigned = assignmentsOf(place, mentions);
  const targets = targetsOf(words, sentence);
  const inValues = [...spansOfValues(matches), ...targets, ...assigned.values, ...assigned.refused];
  const allValues = [...matches.map(({ match }) => spanOf(match)), ...assigned.values];
  const found = actionsOf(sentence, words, marks, { values: inValues, allValues, rounds });
  const values = valuesOf(place, { mentions, negations: found.negations }, assigned, matches);
  return {
    sentence,
    found,
    values,
    targets,
    rounds,
    files: fileWishesOf(sentence, found.negations),
    ...validationOf(words, sentence, found.negations),
    phasing: phasingOf(words, sentence, found.negations),
    runsMrSad: isFoundIn([words.mrSadTask], sentence) && !found.actions.some(({ mode }) => mode === 'skip'),
    stopsNow: asksToStopNow(words, sentence),
    stepByStep: isFoundIn(words.stepByStep, sentence),
    hasGoal: isFoundIn(words.goals, sentence),
    unreadFigures: unreadFiguresOf(sentence, [...values.values, ...values.refused, ...targets, ...rounds]),
    isOpen: openOf(words, sentence, { negations: found.negations, rounds, targets }),
  };
};

/** Programs that the sentence wants to run, in its order. */
export const wantedActions = ({ found }: SentenceFindings): readonly Action[] =>
  found.actions.filter(({ mode }) => mode === 'run' || mode === 'prefer');
