import type { ExperimentType } from '@fleet/contracts';
import type { ProgramKnowledge } from '@fleet/knowledge-model';
import { actionsOf, isNegated, type Action, type SentenceActions } from './actions';
import { isFound, matchesOf, type AdviceWords } from './compile-words';
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

const roundsOf = (words: AdviceWords, { plain }: Sentence): SentenceFindings['rounds'] => {
  const taken: Span[] = [];
  return (['refinements', 'macro_cycles', 'cycles'] as const).flatMap((of) =>
    words.rounds[of].flatMap((pattern) =>
      matchesOf(pattern, plain).flatMap((match) => {
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
    .flatMap((pattern) => matchesOf(pattern, sentence.plain))
    .map(({ index }) => isNegated(sentence, negations, index));
  return { skipsValidation: negated.includes(true), wantsValidation: negated.includes(false) };
};

const phasingOf = (words: AdviceWords, sentence: Sentence, negations: readonly Span[]): SentenceFindings['phasing'] => {
  const ways = [
    ['mr_sad', words.mrSad],
    ['experimental', words.experimental],
    ['molecular_replacement', words.molecularReplacement],
  ] as const;
  const mrSad = matchesOf(words.mrSad, sentence.plain).map(spanOf);
  return ways.flatMap(([way, pattern]) =>
    matchesOf(pattern, sentence.plain)
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
  if (forbidsUntil(words, plain, negations)) return 'condition';
  if (targets.length > 0 && negations.length === 0 && !/\b(?:if|unless|whenever)\b/.test(plain)) return undefined;
  if (isQuestion(plain)) return 'question';
  if (rounds.some(({ of }) => of === 'cycles') || isCheck(plain)) return undefined;
  return waits(plain) || isFound(words.conditions, plain) ? 'condition' : undefined;
};

const forbidsUntil = (words: AdviceWords, plain: string, negations: readonly Span[]): boolean =>
  negations.length > 0 && isFound([words.until], plain);

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

/** Reads one sentence. */
export const findingsOf = (sentence: Sentence, { words, programs, experiment }: SentenceSources): SentenceFindings => {
  const place = { words, programs, sentence };
  const may = words.starts.in(sentence.plain);
  const rounds = roundsOf(words, sentence);
  const marks = marksOf(sentence, words, experiment, may);
  const matches = settingMatches(words, sentence, may);
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
    runsMrSad: isFound([words.mrSadTask], sentence.plain) && !found.actions.some(({ mode }) => mode === 'skip'),
    stopsNow: isFound(words.stopNow, sentence.plain.replaceAll(/[^a-z']+/g, ' ').trim()),
    stepByStep: isFound(words.stepByStep, sentence.plain),
    hasGoal: isFound(words.goals, sentence.plain),
    unreadFigures: unreadFiguresOf(sentence, [...values.values, ...values.refused, ...targets, ...rounds]),
    isOpen: openOf(words, sentence, { negations: found.negations, rounds, targets }),
  };
};

/** Programs that the sentence wants to run, in its order. */
export const wantedActions = ({ found }: SentenceFindings): readonly Action[] =>
  found.actions.filter(({ mode }) => mode === 'run' || mode === 'prefer');
