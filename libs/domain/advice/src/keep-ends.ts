import type { AdviceSources, Draft } from './draft';
import { totalRounds } from './requested-programs';
import type { SentenceFindings } from './sentence-findings';
import { endRequests, type EndRequest } from './stop-requests';

type Round = SentenceFindings['rounds'][number] & { readonly one: SentenceFindings };

const keepEnd = (
  draft: Draft,
  ends: readonly EndRequest[],
  { isSeveral, isValidated }: Readonly<Record<'isSeveral' | 'isValidated', (end: EndRequest) => boolean>>,
): void => {
  const [first] = ends;
  const last = ends.at(-1);
  if (first === undefined || last === undefined) return;
  const other = ends.find(({ program }) => program !== first.program);
  if (other !== undefined)
    draft.conflicts.push(
      `The session is to end with ${first.program} and with ${other.program}; it ends with ${last.program}, which is said last.`,
    );
  const { program, words, alone } = last;
  // It would end the session after the first of several refinements; the cycle limit ends it instead.
  if (!isSeveral(last))
    draft.set(['stop_conditions', 'after_program'], program, {
      words,
      says: `The session ends when ${program} has succeeded.`,
    });
  if (!isValidated(last))
    draft.set(['stop_conditions', 'skip_validation'], true, { words, says: 'It ends without validation.' });
  if (alone !== undefined) draft.setting(program, alone, true, words);
};

const keepRound = (draft: Draft, { of, count, one }: Round, { experiment, words: known }: AdviceSources): void => {
  const { words } = one.sentence;
  draft.used.add(one);
  if (of === 'macro_cycles') {
    const { program, macro_cycles } = known.knowledge.meant.refinement[experiment];
    draft.setting(program, macro_cycles, count, words);
  } else if (of === 'cycles') {
    draft.set(['stop_conditions', 'after_cycle'], count, {
      words,
      says: `The session ends after cycle ${String(count)}.`,
    });
  } else {
    const made = count === 1 ? 'refinement is' : 'refinements are';
    draft.set(['stop_conditions', 'max_refine_cycles'], count, {
      words,
      says: `At most ${String(count)} ${made} made.`,
      twice: (first) => `${first} and ${String(count)} refinements are asked for; the first counts.`,
    });
  }
};

const metricOf = { r_free_target: 'R-free', map_cc_target: 'the map correlation' } as const;

const keepTargets = (draft: Draft, one: SentenceFindings): void => {
  const { words } = one.sentence;
  if (one.skipsValidation) {
    draft.used.add(one);
    draft.set(['stop_conditions', 'skip_validation'], true, { words, says: 'The session may end without validation.' });
  }
  for (const { field, value } of one.targets) {
    draft.used.add(one);
    draft.set(['stop_conditions', field], value, {
      words,
      says: `The target of ${metricOf[field]} is ${String(value)}.`,
      twice: (first) => `Two targets of ${metricOf[field]} are given, ${first} and ${String(value)}; the first counts.`,
    });
  }
};

/** Sets when the session ends: after a program, a number of rounds, at a value; with or without validation. */
export const keepEnds = (draft: Draft, findings: readonly SentenceFindings[], sources: AdviceSources): void => {
  const followed = findings.filter(({ isOpen }) => isOpen === undefined);
  const groupOf = (program: string): string | undefined => sources.programs[program]?.group;
  const rounds = followed.flatMap((one) => totalRounds(one, sources).map((round) => ({ ...round, one })));
  const refinements = rounds.find(({ of }) => of === 'refinements')?.count ?? 1;
  const isConditional = findings.some(({ isOpen }) => isOpen === 'condition');
  const ends = endRequests(followed, { ...sources, groupOf, isConditional });
  const validated = followed.filter(({ validations }) => validations.length > 0).map(({ sentence }) => sentence.words);
  keepEnd(draft, ends, {
    isSeveral: ({ program }) => groupOf(program) === 'refinement' && refinements > 1,
    // "Stop after 3 rounds of refinement and validate the model".
    isValidated: ({ program, words }) =>
      program !== sources.words.knowledge.meant.validation[sources.experiment] && validated.includes(words),
  });
  for (const one of followed) if (ends.some(({ words }) => words === one.sentence.words)) draft.used.add(one);
  for (const round of rounds) keepRound(draft, round, sources);
  for (const one of followed) keepTargets(draft, one);
};
