import type { ExperimentType } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { requestedPrograms } from './requested-programs';
import { cleanAdvice } from './clean-advice';
import { adviceWords, isFoundIn, type AdviceWords } from './compile-words';
import { Draft, type AdviceSources } from './draft';
import { heldIn, saysOfHeld } from './held-requests';
import { keepEnds } from './keep-ends';
import { keepOrder, keepPhasing, keepSkips } from './keep-order';
import { keepFiles, keepValues } from './keep-values';
import { unfollowedWords } from './leftovers';
import { foreignProgram } from './marks';
import { misspeltNames } from './misspelt-names';
import type { AdviceReading, UnfollowedWords } from './reading';
import { findingsOf, type SentenceFindings } from './sentence-findings';
import { sentencesOf, type Sentence } from './sentences';
import type { Span } from './spans';

export interface AdviceContext {
  /** Experiment type of the data; absent: as the text suggests, otherwise X-ray. */
  readonly experiment?: ExperimentType;
}

/** Maximum number of entries that were not followed. */
const maxUnfollowed = 200;

/** Truncates the list; the last entry reports that there are more. */
const shortened = (all: readonly UnfollowedWords[]): readonly UnfollowedWords[] =>
  all.length <= maxUnfollowed
    ? all
    : [
        ...all.slice(0, maxUnfollowed),
        {
          words: `${String(all.length - maxUnfollowed)} further parts of the text`,
          why: 'no rule follows them either',
        },
      ];

const experimentOf = (
  sentences: readonly Sentence[],
  words: AdviceWords,
  programs: RuleBook['programs'],
): ExperimentType => {
  if (sentences.some((sentence) => isFoundIn(words.cryoemHints, sentence))) return 'cryoem';
  const namesOneOf = (experiment: ExperimentType): boolean => {
    const patterns = [...words.names, ...words.acts].filter(({ of }) => {
      const { experiments = [] } = programs[of.program] ?? {};
      return experiments.length === 1 && experiments[0] === experiment;
    });
    return sentences.some((sentence) => isFoundIn(patterns, sentence));
  };
  return namesOneOf('cryoem') && !namesOneOf('xray') ? 'cryoem' : 'xray';
};

const whyOpen = {
  condition: 'a condition that no rule follows',
  question: 'a question; nothing is run for it',
  foreign: 'requests are read in English only',
} as const;

/** Whether a sentence was understood although it gave no directive. */
const saysEnough = ({ namesGoal, stopsNow, stepByStep, found, validations }: SentenceFindings): boolean =>
  namesGoal || stopsNow || stepByStep || validations.length > 0 || found.goesOn || found.stop !== undefined;

/** The unused rest of a sentence, so that no user assumes that it has an effect. */
const unread = ({ sentence, leftovers }: SentenceFindings): readonly UnfollowedWords[] =>
  leftovers.map((one) => unfollowedWords(sentence, one));

/** "Stop once it looks good": the words up to the end of their phrase. */
const phraseFrom = (words: string, { start }: Span): string => words.slice(start).split(/[,;.!?)](?= |$)/)[0] ?? '';

/** "Solve it, then stop", "stop once it looks good": no program, cycle or number is named to end with. */
const unmetStop = (
  draft: Draft,
  { sentence: { words }, found, stopsNow, validations }: SentenceFindings,
): readonly UnfollowedWords[] => {
  const { skip_validation: _, start_with_program: __, ...ends } = draft.parts.stop_conditions;
  const { stop, stopAfter, goesOn, actions } = found;
  if (goesOn || (stopsNow && draft.used.size === 0) || Object.keys(ends).length > 0) return [];
  const why = 'nothing is named that the session could end with';
  if (stop !== undefined) return [{ words: words.slice(stop.start, stop.end).replace(/^[,\s]+/, ''), why }];
  const isNamed = validations.length > 0 || actions.some(({ mode }) => mode === 'stop_after');
  return stopAfter === undefined || isNamed ? [] : [{ words: phraseFrom(words, stopAfter), why }];
};

const unfollowedOf = (
  draft: Draft,
  one: SentenceFindings,
  { words: known, experiment }: AdviceSources,
): readonly UnfollowedWords[] => {
  const { words } = one.sentence;
  const refused = one.values.refused.map(({ start, end, why }) => ({ words: words.slice(start, end), why }));
  if (one.isOpen !== undefined && draft.used.has(one)) return [];
  if (one.isOpen !== undefined) return [{ words, why: whyOpen[one.isOpen] }];
  if (refused.length > 0 || draft.used.has(one) || saysEnough(one))
    return [...refused, ...unread(one), ...unmetStop(draft, one)];
  const foreign = foreignProgram(one.sentence, known, experiment);
  return [{ words, why: foreign === undefined ? 'no rule reads anything in it' : `${foreign} is not for these data` }];
};

/** A condition on a metric is understood, but stays among the constraints, which the decisions read. */
const keepHeld = (draft: Draft, findings: readonly SentenceFindings[], sources: AdviceSources): void => {
  for (const one of findings) {
    const held = one.isOpen === 'condition' ? heldIn(one.sentence, sources) : undefined;
    if (held === undefined) continue;
    draft.used.add(one);
    const { words } = one.sentence;
    draft.understood.push({ field: 'constraints', value: words, words, says: saysOfHeld(held) });
  }
};

/** A request without a matching rule, or with a condition on a metric, is kept as a constraint. */
const isConstraint = (draft: Draft, one: SentenceFindings, { ownWork }: AdviceWords): boolean =>
  (one.isOpen === 'condition' || !draft.used.has(one)) &&
  one.isOpen !== 'question' &&
  !saysEnough(one) &&
  (one.isOpen === 'condition' || one.found.asks || isFoundIn(ownWork, one.sentence));

/**
 * Reads the requests in a text, only by the rules of `advice.yaml`. Sets nothing that is not in the text; everything that was not understood
 * is reported. Linear in the length of the text.
 */
export const readAdvice = (
  raw: string,
  { advice, programs }: Pick<RuleBook, 'advice' | 'programs'>,
  context: AdviceContext = {},
): AdviceReading => {
  const words = adviceWords(advice);
  const { text, removed } = cleanAdvice(raw, words);
  const sentences = sentencesOf(text, words);
  const sources = { words, programs, experiment: context.experiment ?? experimentOf(sentences, words, programs) };
  const findings = sentences.map((sentence) => findingsOf(sentence, sources));
  const followed = findings.filter(({ isOpen }) => isOpen === undefined);
  const draft = new Draft();
  keepEnds(draft, findings, sources);
  keepValues(draft, followed, sources);
  keepFiles(draft, followed);
  keepSkips(draft, followed);
  keepPhasing(draft, followed);
  keepOrder(draft, followed, sources);
  keepHeld(draft, findings, sources);
  const notFollowed = [
    ...findings.flatMap((one) => unfollowedOf(draft, one, sources)),
    ...misspeltNames(sentences, words),
  ];
  const constraints = findings.filter((one) => isConstraint(draft, one, words)).map(({ sentence }) => sentence.words);
  return {
    text,
    removed,
    directives: draft.directives(constraints),
    stopsNow: findings.length > 0 && findings.every(({ stopsNow }) => stopsNow),
    stepByStep: followed.some(({ stepByStep }) => stepByStep),
    requestedPrograms: requestedPrograms(followed, sources),
    understood: draft.understood,
    conflicts: draft.conflicts,
    notFollowed: shortened(notFollowed),
  };
};
