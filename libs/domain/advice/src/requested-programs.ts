import type { Action } from './sentence-reader';
import type { AdviceSources } from './draft';
import { isFoundIn } from './compile-words';
import type { RequestedProgram } from './reading';
import { wantedActions, type SentenceFindings } from './sentence-findings';
import type { Span } from './spans';

/** Whether the numbers of a sentence are mere limits. */
const isLimit = ({ rounds, sentence }: SentenceFindings, { words }: AdviceSources): boolean =>
  rounds.some(({ of }) => of === 'refinements') && isFoundIn(words.atMost, sentence);

/** How often each of some requests for refinement is made: "refine, fit the ligand, refine twice more" once and twice. */
const timesOf = (actions: readonly Action[], { rounds }: SentenceFindings): readonly number[] => {
  const counts = rounds.filter(({ of }) => of === 'refinements');
  const ownerOf = (round: Span): number =>
    Math.max(
      0,
      actions.findLastIndex(({ start }) => start <= round.end),
    );
  return actions.map((_, index) => {
    const own = counts.filter((round) => ownerOf(round) === index);
    return own.length === 0 ? 1 : own.reduce((sum, { count }) => sum + count, 0);
  });
};

/** Consecutive requests for one program count once: "refine occupancies and refine twice". */
const requestedIn = (one: SentenceFindings, sources: AdviceSources): readonly RequestedProgram[] => {
  const runs = wantedActions(one).filter(({ mode }) => mode === 'run');
  const refinements = runs.filter(({ program }) => sources.programs[program]?.group === 'refinement');
  const times = timesOf(refinements, one);
  const requested: RequestedProgram[] = [];
  for (const { program, ...run } of runs) {
    const index = refinements.findIndex(({ start }) => start === run.start);
    if (index >= 0 && isLimit(one, sources)) continue;
    const count = times[index] ?? 1;
    const last = requested.at(-1);
    if (last?.program === program) requested.pop();
    requested.push({ program, times: Math.max(count, last?.program === program ? last.times : 1) });
  }
  return requested;
};

/** Rounds of a sentence; several requests for refinement are one number. */
export const totalRounds = (one: SentenceFindings, sources: AdviceSources): SentenceFindings['rounds'] => {
  const first = one.rounds.find(({ of }) => of === 'refinements');
  if (first === undefined || isLimit(one, sources)) return one.rounds;
  const requested = requestedIn(one, sources).filter(
    ({ program }) => sources.programs[program]?.group === 'refinement',
  );
  const count = requested.length === 0 ? first.count : requested.reduce((sum, { times }) => sum + times, 0);
  return [{ ...first, count }, ...one.rounds.filter(({ of }) => of !== 'refinements')];
};

/** Programs that a text requests, in its order. Consecutive repetitions count once. */
export const requestedPrograms = (
  followed: readonly SentenceFindings[],
  sources: AdviceSources,
): readonly RequestedProgram[] =>
  followed
    .flatMap((one) => requestedIn(one, sources))
    .filter(({ program }, index, all) => all[index - 1]?.program !== program);
