import type { ExperimentType } from '@fleet/contracts/sessions';
import type { ProgramKnowledge } from '@fleet/knowledge-model';
import { actionsOf, type SentenceActions } from './actions';
import type { Action } from './sentence-reader';
import { isFoundIn, matchesIn, type AdviceWords } from './compile-words';
import { fileRequestsOf, type FileRequest } from './file-requests';
import { denialsOf } from './sentence-denials';
import { leftoversIn, type Leftover } from './leftovers';
import { assignmentsOf } from './assignments';
import { countOf } from './numbers';
import { isDescription, isOfOthers, isReport, type FoundValues, type ValueContext } from './value-context';
import { atomsOfOmitMap, type NamedAtoms } from './selections';
import { cuesOf, marksOf, mentionsOf, type Mark, type Mention } from './marks';
import type { Denials } from './negations';
import type { Sentence } from './sentences';
import { overlap, spanOf, type Span } from './spans';
import { targetsOf } from './targets';
import { settingMatches, spansOfValues, valuesOf } from './values';

type Rounds = keyof AdviceWords['rounds'];

/** The complete reading of one sentence. */
export interface SentenceFindings {
  readonly sentence: Sentence;
  readonly found: SentenceActions;
  readonly denials: Denials;
  readonly values: FoundValues;
  readonly targets: ReturnType<typeof targetsOf>;
  readonly rounds: readonly (Span & { readonly of: Rounds; readonly count: number })[];
  readonly files: readonly FileRequest[];
  readonly skipsValidation: boolean;
  /** Positions that request a validation. */
  readonly validations: readonly Span[];
  readonly phasing: readonly (Span & {
    readonly way: 'mr_sad' | 'experimental' | 'molecular_replacement' | 'placed';
    readonly wanted: boolean;
  })[];
  readonly runsMrSad: boolean;
  readonly stopsNow: boolean;
  readonly stepByStep: boolean;
  readonly hasGoal: boolean;
  /** It names the goal, and not only that there is more: "also". */
  readonly namesGoal: boolean;
  /** Atoms of a requested omit map. */
  readonly atoms: NamedAtoms | undefined;
  /** Unused parts. */
  readonly leftovers: readonly Leftover[];
  /** A condition, a question, or words in another script: the sentence has no effect. */
  readonly isOpen: 'condition' | 'question' | 'foreign' | undefined;
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
  const { plain } = sentence;
  // "Skip validation until the end" does not ask to do without it.
  const isSkipped = (span: Span): boolean =>
    denials.of(span) === 'near' && !/^ (?:before|until|till)\b/.test(plain.slice(span.end));
  return {
    skipsValidation: found.some(isSkipped),
    validations: found.filter((span) => denials.of(span) === undefined && !isSkipped(span)),
  };
};

const phasingOf = (words: AdviceWords, sentence: Sentence, denials: Denials): SentenceFindings['phasing'] => {
  const ways = [
    ['mr_sad', words.mrSad],
    ['experimental', words.experimental],
    ['molecular_replacement', words.molecularReplacement],
    ['placed', words.placed],
  ] as const;
  const mrSad = matchesIn(words.mrSad, sentence).map(spanOf);
  return ways.flatMap(([way, pattern]) =>
    matchesIn(pattern, sentence)
      .map(spanOf)
      .filter((span) => way === 'mr_sad' || !mrSad.some((other) => overlap(span, other)))
      .filter((span) => denials.of(span) !== 'far' && (way === 'placed' || !isDescription({ words, sentence }, span)))
      .map((span) => ({ ...span, way, wanted: denials.of(span) === undefined })),
  );
};

/** Letters other than Latin and Greek ones, from Cyrillic to Hangul. */
const otherScript = /[\u0400-\u1cff\u2e80-\ud7ff]/;

const openOf = (
  words: AdviceWords,
  sentence: Sentence,
  { isDenied, rounds, targets }: Pick<SentenceFindings, 'rounds' | 'targets'> & { readonly isDenied: boolean },
): SentenceFindings['isOpen'] => {
  const { plain } = sentence;
  // "Stop when R-free reaches 0.25" is a target, "no waters until R-free < 0.3" a condition.
  if (isDenied && isFoundIn([words.until], sentence)) return 'condition';
  if (!isDenied && isTarget(plain, targets)) return undefined;
  if (isQuestion(plain)) return 'question';
  if (rounds.some(({ of }) => of === 'cycles') || isCheck(plain)) return undefined;
  return waits(plain) || isFoundIn(words.conditions, sentence) ? 'condition' : undefined;
};

/** "Once R-free is below 0.3, add waters" is a condition; with a stop it is the end. */
const isTarget = (plain: string, targets: readonly Span[]): boolean =>
  targets.length > 0 &&
  !/\b(?:if|unless|whenever)\b/.test(plain.replace(stopIf, '')) &&
  (!waitsFor.test(plain) || ends.test(plain));

/** "Stop if R-free is below 0.26" names the end, not a condition for something else. */
const stopIf =
  /\b(?:stop|end|finish|halt|quit)(?: it| the run| the session)? (?:if|whenever) (?=(?:the )?(?:r ?free|map|cc)\b)/;
const waitsFor =
  /\b(?:when|once|after|as soon as) (?:the )?(?:r ?free|map|cc)\b|\b(?:delay|postpone|hold off|wait with)\b/;
const ends = /\b(?:stop|end|finish|halt|quit|terminate|enough|done|satisfied|happy|fine)\b/;

/** "Could you run phaser?" is a polite request. */
const isQuestion = (plain: string): boolean =>
  /\?["')\]]?$/.test(plain) && !/^(?:(?:please|and|so|hi|hello),? )?(?:can|could|would|will) you\b/.test(plain);

/** Something must wait for something else. */
const waits = (plain: string): boolean =>
  /\buntil\b/.test(plain) && /\b(?:no|not|without|never|don't|dont|delay|postpone|hold off|wait with)\b/.test(plain);

/** "to check if it worked" is a question, not a condition. */
const isCheck = (plain: string): boolean =>
  /\b(?:check|see|test|find out|know|determine|verify|decide|tell (?:me|us)) (?:if|whether)\b/.test(plain) &&
  !/^(?:if|unless)\b/.test(plain);

/** Its words begin at words of the sentence, so the candidates of the sentence apply. */
const asksToStopNow = ({ stopNow }: AdviceWords, { plain, may }: Sentence): boolean =>
  stopNow.some(({ id }) => may[id] === 1) &&
  isFoundIn(stopNow, { plain: plain.replaceAll(/[^a-z']+/g, ' ').trim(), may });

/** Spans of the sentence that were used, besides program actions. */
const readIn = (
  words: AdviceWords,
  sentence: Sentence,
  { found, values, targets, rounds, files, phasing, atoms }: Omit<Partly, 'denials'>,
): readonly Span[] => {
  // Nothing follows from molecular replacement that is denied, except that the program is left out.
  const used = phasing.filter(({ way, wanted }) => wanted || way !== 'molecular_replacement');
  const phrases = [words.mrSad, words.initialModel, ...words.validation, ...words.goals, ...words.stepByStep];
  return [
    ...[values.values, values.refused, targets, rounds, files, used, found.actions, found.cues].flat(),
    ...(found.stop === undefined ? [] : found.before),
    ...(atoms?.spans ?? []),
    ...phrases.flatMap((pattern) => matchesIn(pattern, sentence).map(spanOf)),
  ];
};

type Partly = Pick<
  SentenceFindings,
  'found' | 'values' | 'targets' | 'rounds' | 'files' | 'phasing' | 'atoms' | 'denials'
>;

/** Programs that are named as the owners of values. */
const ownersIn = (
  mentions: readonly Mention[],
  { values, rounds }: Pick<Partly, 'values' | 'rounds'>,
  refine: string,
): readonly Mention[] => {
  const owners = new Set<string | undefined>([...values.values, ...values.refused].map(({ program }) => program));
  if (rounds.some(({ of }) => of === 'macro_cycles')) owners.add(refine);
  return mentions.filter(({ program }) => owners.has(program));
};

/** Named programs, and "the rest". */
const withRest = (words: AdviceWords, sentence: Sentence, named: readonly Mention[]): readonly Mention[] => {
  const rest = matchesIn(words.rest, sentence).map((match) => ({ ...spanOf(match), program: 'default' }));
  return rest.length === 0 ? named : [...named, ...rest].sort((one, other) => one.start - other.start);
};

/** Requested rounds: not negated, not about something else, and not assigned. */
const wantedRounds = (
  context: ValueContext,
  all: SentenceFindings['rounds'],
  { denials, others }: { readonly denials: Denials; readonly others: readonly Span[] },
): SentenceFindings['rounds'] =>
  all.filter(
    (one) =>
      denials.of(one) === undefined &&
      !/\b(?:at least|no less than|not less than|minimum(?: of)?) $/.test(context.sentence.plain.slice(0, one.start)) &&
      !isOfOthers(context, one) &&
      !isReport(context, one) &&
      !others.some((other) => overlap(other, one)),
  );

/** Programs, values and everything else that a sentence requests. */
const partsOf = (context: ValueContext, marks: readonly Mark[], mentions: readonly Mention[]): Partly => {
  const { sentence, words } = context;
  const matches = settingMatches(context);
  const assigned = assignmentsOf(context, mentions);
  const allRounds = roundsOf(words, sentence);
  const allTargets = targetsOf(words, sentence);
  const inAssigned = [...assigned.values, ...assigned.refused];
  const denials = denialsOf(words, sentence, marks, {
    matches,
    others: { assigned: inAssigned, rounds: allRounds, target: allTargets },
  });
  const goesOn = allRounds.length === 0 ? [] : cuesOf(marks).filter(({ cue }) => cue === 'go_on');
  const rounds = wantedRounds(context, allRounds, { denials, others: [...goesOn, ...assigned.values] });
  const found = actionsOf(sentence, words, marks, {
    values: [...spansOfValues(matches), ...allTargets, ...inAssigned],
    allValues: [...matches.map(({ match }) => spanOf(match)), ...assigned.values, ...sentence.files],
    rounds,
    allRounds,
    denials,
  });
  const skipped = found.actions.filter(({ mode }) => mode === 'skip');
  const isWanted = (mention: Mention): boolean => !skipped.some((action) => overlap(action, mention));
  return {
    denials,
    found,
    rounds,
    targets: allTargets.filter((span) => denials.of(span) === undefined),
    // "Use phaser instead of autosol with 2 copies": not those of autosol.
    values: valuesOf(context, { mentions: mentions.filter(isWanted), denials }, assigned, matches),
    phasing: phasingOf(words, sentence, denials),
    files: fileRequestsOf(sentence, denials),
    atoms: atomsOfOmitMap(sentence, found.actions, words),
  };
};

/** Reads one sentence. */
export const findingsOf = (sentence: Sentence, { words, programs, experiment }: SentenceSources): SentenceFindings => {
  const marks = marksOf(sentence, words, experiment);
  const named = mentionsOf(marks);
  const mentions = withRest(words, sentence, named);
  const parts = partsOf({ words, programs, experiment, sentence }, marks, mentions);
  const goals = words.goals.flatMap((pattern) => matchesIn(pattern, sentence));
  const owners = ownersIn(mentions, parts, words.knowledge.meant.refinement[experiment].program);
  return {
    sentence,
    ...parts,
    ...validationOf(words, sentence, parts.denials),
    runsMrSad: isFoundIn([words.mrSadTask], sentence) && !parts.found.actions.some(({ mode }) => mode === 'skip'),
    stopsNow: asksToStopNow(words, sentence),
    stepByStep: isFoundIn(words.stepByStep, sentence),
    hasGoal: goals.length > 0,
    namesGoal: goals.some(([text]) => !/^(?:also|as well|in addition)$/.test(text)),
    leftovers: leftoversIn(sentence, words, {
      programs: named,
      read: [...readIn(words, sentence, parts), ...owners],
    }),
    isOpen: otherScript.test(sentence.plain)
      ? 'foreign'
      : openOf(words, sentence, { ...parts, isDenied: parts.denials.denies }),
  };
};

/** Programs that the sentence requests, in its order. */
export const wantedActions = ({ found }: SentenceFindings): readonly Action[] =>
  found.actions.filter(({ mode }) => mode === 'run' || mode === 'prefer');
