import type { ExperimentType } from '@fleet/contracts';
import type { Action } from './actions';
import { matchesIn, type AdviceWords } from './compile-words';
import { wantedActions, type SentenceFindings } from './sentence-findings';

/** A program with which the session ends, and the words that say so. */
export interface EndWish {
  readonly program: string;
  readonly words: string;
}

export interface StopSources {
  readonly words: AdviceWords;
  readonly experiment: ExperimentType;
  readonly groupOf: (program: string) => string | undefined;
}

/** "Stop after getting an initial model". */
const afterInitialModel = ({ sentence }: SentenceFindings, { words, experiment }: StopSources): string | undefined => {
  const model = matchesIn(words.initialModel, sentence)[0];
  if (model === undefined) return undefined;
  const stops = words.cues
    .filter(({ of }) => of === 'stop_after')
    .some((cue) => matchesIn(cue, sentence).some(({ index }) => index < model.index));
  return stops ? words.knowledge.initial_model.programs[experiment] : undefined;
};

/** Ends that a sentence asks for; `before`: the program that was asked for last before it. */
const endsOfSentence = (one: SentenceFindings, before: string | undefined, sources: StopSources): readonly string[] => {
  const { found, sentence, stopsNow } = one;
  const named = found.actions.filter(({ mode }) => mode === 'stop_after').map(({ program }) => program);
  const initial = named.length === 0 ? afterInitialModel(one, sources) : undefined;
  const stop = found.stop?.start ?? (stopsNow ? sentence.plain.length : undefined);
  const stopped =
    stop === undefined || found.goesOn
      ? undefined
      : (wantedActions(one).findLast(({ start }) => start < stop)?.program ?? before);
  return [...named, initial, stopped].filter((program) => program !== undefined);
};

/** Ends that are asked for in so many words. */
const saidEnds = (findings: readonly SentenceFindings[], sources: StopSources): readonly EndWish[] => {
  let before: string | undefined;
  return findings.flatMap((one) => {
    const ends = endsOfSentence(one, before, sources);
    before = wantedActions(one).at(-1)?.program ?? before;
    return ends.map((program) => ({ program, words: one.sentence.words }));
  });
};

/** "Just run phaser": nothing is wanted after it. */
const onlyEnd = (findings: readonly SentenceFindings[]): EndWish | undefined => {
  const wanted = findings.flatMap((one) => wantedActions(one).map((action) => ({ action, sentence: one.sentence })));
  const last = wanted.at(-1);
  return last?.action.only === true && !findings.some(({ hasGoal }) => hasGoal)
    ? { program: last.action.program, words: last.sentence.words }
    : undefined;
};

interface Wanted {
  readonly action: Action;
  readonly one: SentenceFindings;
}

/** Something besides the task is wanted, or something after it. */
const wantsMore = (findings: readonly SentenceFindings[], wanted: readonly Wanted[]): boolean =>
  findings.some(({ hasGoal, found }) => hasGoal || found.actions.some(({ mode }) => mode === 'skip')) ||
  wanted.some(
    ({ action, one }) =>
      action.first || action.mode === 'prefer' || one.found.turns.some(({ start }) => start >= action.end),
  );

/** A text that asks for one task alone, as the tutorials do. */
const taskEnd = (findings: readonly SentenceFindings[], { groupOf }: StopSources): EndWish | undefined => {
  const wanted = findings.flatMap((one) => wantedActions(one).map((action) => ({ action, one })));
  const [first] = wanted;
  if (first === undefined || new Set(wanted.map(({ action }) => action.program)).size !== 1) return undefined;
  if (wantsMore(findings, wanted)) return undefined;
  const { program, task } = first.action;
  const isOneRefinement =
    groupOf(program) === 'refinement' &&
    findings.some(({ rounds }) => rounds.some(({ of, count }) => of === 'refinements' && count === 1));
  return task || isOneRefinement ? { program, words: first.one.sentence.words } : undefined;
};

/** The program after which the session ends, and further ones that contradict it. */
export const endWishes = (followed: readonly SentenceFindings[], sources: StopSources): readonly EndWish[] => {
  const said = saidEnds(followed, sources);
  if (said.length > 0) return said;
  if (followed.some(({ found }) => found.goesOn)) return [];
  const mrSad = followed.find(({ runsMrSad }) => runsMrSad);
  if (mrSad !== undefined && !followed.some(({ hasGoal }) => hasGoal))
    return [{ program: sources.words.knowledge.meant.phasing, words: mrSad.sentence.words }];
  if (followed.some(({ wantsValidation }) => wantsValidation)) return [];
  const implied = onlyEnd(followed) ?? taskEnd(followed, sources);
  return implied === undefined ? [] : [implied];
};
