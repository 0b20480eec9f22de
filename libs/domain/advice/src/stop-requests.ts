import type { ExperimentType } from '@fleet/contracts/sessions';
import type { Action } from './sentence-reader';
import { isFoundIn, matchesIn, type AdviceWords } from './compile-words';
import { atEnd } from './keep-order';
import type { Leftover } from './leftovers';
import { wantedActions, type SentenceFindings } from './sentence-findings';
import type { Span } from './spans';

/** A program with which the session ends, and the source words. */
export interface EndRequest {
  readonly program: string;
  readonly words: string;
  /** A flag of the program that is set with it. */
  readonly alone?: string | undefined;
}

export interface StopSources {
  readonly words: AdviceWords;
  readonly experiment: ExperimentType;
  readonly groupOf: (program: string) => string | undefined;
  /** The text also has a condition, so it is more than one task. */
  readonly isConditional: boolean;
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

type RunRequest = Pick<Action, 'program' | 'alone' | 'start'>;

/** Programs that a sentence requests, also validation, MR-SAD and macro-cycles, in its order. */
const requestsIn = (one: SentenceFindings, { words, experiment }: StopSources): readonly RunRequest[] => {
  const { validation, phasing, refinement } = words.knowledge.meant;
  const implied = [
    ...one.validations.map(({ start }) => ({ program: validation[experiment], alone: undefined, start })),
    ...one.phasing.flatMap(({ way, wanted, start }) =>
      way === 'mr_sad' && wanted ? [{ program: phasing, alone: undefined, start }] : [],
    ),
    ...one.rounds.flatMap(({ of, start }) =>
      of === 'macro_cycles' ? [{ program: refinement[experiment].program, alone: undefined, start }] : [],
    ),
  ];
  return [...wantedActions(one), ...implied].sort((first, second) => first.start - second.start);
};

/** The request that "and stop" ends: the last one before it. None if an unused verb is between them: "phaser, tidy up and stop". */
const stoppedRequest = (
  one: SentenceFindings,
  stop: number,
  before: RunRequest | undefined,
  sources: StopSources,
): RunRequest | undefined => {
  const last = requestsIn(one, sources).findLast(({ start }) => start < stop);
  const from = last?.start ?? 0;
  if (one.leftovers.some(({ of, start }) => of === 'verb' && start >= from && start < stop)) return undefined;
  // "Refine until R-free drops below 0.24 and end there".
  if (one.targets.some(({ start }) => start >= from && start < stop)) return undefined;
  return last ?? one.found.before.at(-1) ?? before;
};

/** Whether "stop after" stands shortly before. */
const isEnd = ({ stopAfter }: SentenceFindings['found'], { start }: Span): boolean =>
  stopAfter !== undefined && start > stopAfter.start && start - stopAfter.end <= 30;

/** Ends that a sentence requests; `before`: the last program requested before it. */
const endsOfSentence = (
  one: SentenceFindings,
  before: RunRequest | undefined,
  sources: StopSources,
): readonly RunRequest[] => {
  const { found, sentence, stopsNow } = one;
  const named = found.actions.filter(({ mode }) => mode === 'stop_after');
  const initial = named.length === 0 ? afterInitialModel(one, sources) : undefined;
  const stop = found.stop?.start ?? (stopsNow ? sentence.plain.length : undefined);
  const stopped = stop === undefined || found.goesOn ? undefined : stoppedRequest(one, stop, before, sources);
  // "Stop after MR and MR-SAD".
  const mrSad = one.phasing.find((phasing) => phasing.way === 'mr_sad' && phasing.wanted && isEnd(found, phasing));
  const { phasing } = sources.words.knowledge.meant;
  return [
    ...(mrSad === undefined ? named : [{ program: phasing, alone: undefined, start: mrSad.start }]),
    initial === undefined ? undefined : { program: initial, alone: undefined, start: 0 },
    stopped,
  ].filter((end) => end !== undefined);
};

/** Explicitly requested ends. */
const saidEnds = (findings: readonly SentenceFindings[], sources: StopSources): readonly EndRequest[] => {
  let before: RunRequest | undefined;
  return findings.flatMap((one) => {
    const ends = endsOfSentence(one, before, sources);
    before = [...one.found.ofValues, ...requestsIn(one, sources)].sort((a, b) => a.start - b.start).at(-1) ?? before;
    return ends.map(({ program, alone }) => ({ program, alone, words: one.sentence.words }));
  });
};

const isRequest: ReadonlySet<Leftover['of']> = new Set(['verb', 'program', 'file']);

/** Only one program is requested: no value for another one, no other one named, and no request that was not understood. */
const isAllRead = (findings: readonly SentenceFindings[], wanted: string): boolean =>
  findings.every(
    ({ leftovers, values, denials }) =>
      !leftovers.some((one) => isRequest.has(one.of) && denials.of(one) === undefined) &&
      values.values.every(({ program, value }) => program === wanted || program === 'default' || value === false),
  );

/** "Just run phaser": nothing else is requested after it. */
const onlyEnd = (findings: readonly SentenceFindings[], sources: StopSources): EndRequest | undefined => {
  const wanted = findings.flatMap((one) => wantedActions(one).map((action) => ({ action, sentence: one.sentence })));
  const last = wanted.at(-1);
  if (last?.action.only !== true || findings.some(({ hasGoal }) => hasGoal)) return undefined;
  const { program, alone } = last.action;
  return isAllRead(findings, program) || sources.groupOf(program) === 'refinement'
    ? { program, alone, words: last.sentence.words }
    : undefined;
};

interface Wanted {
  readonly action: Action;
  readonly one: SentenceFindings;
}

/** Something else is requested besides the task, or after it; also in words that are not understood: "run xtriage with labels F,SIGF". */
const wantsMore = (findings: readonly SentenceFindings[], wanted: readonly Wanted[]): boolean =>
  findings.some(({ leftovers }) => leftovers.some(({ of }) => of !== 'clause' && of !== 'thing')) ||
  findings.some(({ hasGoal, found }) => hasGoal || found.actions.some(({ mode }) => mode === 'skip')) ||
  wanted.some(
    ({ action, one }) =>
      action.first || action.mode === 'prefer' || one.found.turns.some(({ start }) => start >= action.end),
  );

/** A text that requests a single task, as the tutorials do. */
const taskEnd = (
  findings: readonly SentenceFindings[],
  { groupOf, words, isConditional }: StopSources,
): EndRequest | undefined => {
  const wanted = findings.flatMap((one) => wantedActions(one).map((action) => ({ action, one })));
  const [first] = wanted;
  const named = [...wanted.map(({ action }) => action), ...findings.flatMap(({ found }) => found.ofValues)];
  if (first === undefined || new Set(named.map(({ program }) => program)).size !== 1) return undefined;
  const { program, task, alone } = first.action;
  if (isConditional || wantsMore(findings, wanted) || !isAllRead(findings, program)) return undefined;
  const isOneRefinement =
    groupOf(program) === 'refinement' &&
    !findings.some(({ sentence }) => isFoundIn(words.atMost, sentence)) &&
    findings.some(({ rounds }) => rounds.some(({ of, count }) => of === 'refinements' && count === 1));
  return task || isOneRefinement ? { program, alone, words: first.one.sentence.words } : undefined;
};

/** "Run validation", and nothing else. */
const validationEnd = (
  findings: readonly SentenceFindings[],
  { words, experiment }: StopSources,
): EndRequest | undefined => {
  const asking = findings.filter(({ validations }) => validations.length > 0);
  const [one] = asking;
  const program = words.knowledge.meant.validation[experiment];
  const wantsElse = findings.some(
    (each) => each.hasGoal || each.targets.length > 0 || wantedActions(each).some((other) => other.program !== program),
  );
  // "Validate it. [...] Stop after validation."
  const isSaid = asking.slice(1).some(({ found, validations }) => validations.some((span) => isEnd(found, span)));
  return one === undefined ||
    wantsElse ||
    one.found.isSequence ||
    atEnd.test(one.sentence.plain) ||
    !(
      one.found.asks ||
      one.validations.some(({ start }) => /^(?:[a-z ]{1,30}: )?(?:please )?$/.test(one.sentence.plain.slice(0, start)))
    ) ||
    !(isSaid || isAllRead(findings, program))
    ? undefined
    : { program, words: one.sentence.words };
};

/** "Do not skip validation" confirms the usual course and makes no task. */
const keepsCourse = /\b(?:not|never|dont|[a-z]+n't) (?:to )?(?:skip|omit|bypass|avoid|leave out|turn|switch)\b/;

/** The program after which the session ends, and further ones that contradict it. */
export const endRequests = (followed: readonly SentenceFindings[], sources: StopSources): readonly EndRequest[] => {
  const ends = saidEnds(followed, sources);
  if (ends.length > 0) return ends;
  if (followed.some(({ found, sentence }) => found.goesOn || keepsCourse.test(sentence.plain))) return [];
  const mrSad = followed.find(({ runsMrSad }) => runsMrSad);
  if (mrSad !== undefined && !followed.some(({ hasGoal }) => hasGoal))
    return [{ program: sources.words.knowledge.meant.phasing, words: mrSad.sentence.words }];
  const implied = followed.some(({ validations }) => validations.length > 0)
    ? validationEnd(followed, sources)
    : (onlyEnd(followed, sources) ?? taskEnd(followed, sources));
  return implied === undefined ? [] : [implied];
};
