import type { AdviceSources } from './draft';
import { isFoundIn } from './compile-words';
import type { RequestedProgram } from './reading';
import { wantedActions, type SentenceFindings } from './sentence-findings';

/** The number of requested refinements in a sentence; undefined for a mere limit. */
const refinementsIn = ({ rounds, sentence }: SentenceFindings, { words }: AdviceSources): number | undefined => {
  const count = rounds.find(({ of }) => of === 'refinements')?.count;
  return count !== undefined && isFoundIn(words.atMost, sentence) ? undefined : (count ?? 1);
};

const requestedIn = (one: SentenceFindings, sources: AdviceSources): readonly RequestedProgram[] =>
  wantedActions(one)
    .filter(({ mode }) => mode === 'run')
    .flatMap(({ program }) => {
      const times = sources.programs[program]?.group === 'refinement' ? refinementsIn(one, sources) : 1;
      return times === undefined ? [] : [{ program, times }];
    });

/** Programs that a text requests, in its order. Consecutive repetitions count once. */
export const requestedPrograms = (
  followed: readonly SentenceFindings[],
  sources: AdviceSources,
): readonly RequestedProgram[] =>
  followed
    .flatMap((one) => requestedIn(one, sources))
    .filter(({ program }, index, all) => all[index - 1]?.program !== program);
