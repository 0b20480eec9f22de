import type { Action } from './sentence-reader';
import type { AdviceSources, Draft } from './draft';
import { isFoundIn } from './compile-words';
import { wantedActions, type SentenceFindings } from './sentence-findings';

interface Wanted {
  readonly action: Action;
  readonly words: string;
  readonly group: string;
  /** After another program, or at the end: "run molprobity after each refinement". */
  readonly isLater: boolean;
  /** After a validation, phasing or a named program: "first validate, then refine", "phase by SAD, then build", "fit it after the refinement". */
  readonly isAfterAnother: boolean;
}

/** "Three rounds of refinement, then polder". */
const afterThen = /[a-z].*\b(?:then|afterwards)\b[^,;]*$/;
/** "Fit it after the first refinement". */
const afterRound = /^[^,;]* after (?:the )?(?:first|second|third|initial|last)\b/;
/** "Run molprobity at the end". */
export const atEnd = /\b(?:at|in) the (?:very )?end\b|\b(?:finally|lastly|at last)\b/;

/** Something else comes before it in its sentence: "fit it after the refinement and then make a polder map". */
const isPreceded = ({ sentence, leftovers }: SentenceFindings, { start, first }: Action): boolean =>
  leftovers.some((other) => (other.of === 'verb' || other.of === 'clause') && other.start < start) ||
  (!first && afterThen.test(sentence.plain.slice(0, start)));

/** Programs outside the main path run first if they are the only request; those on it are preferred when they are offered. */
const asksAtOnce: ReadonlySet<string> = new Set(['validation', 'map_analysis']);
/** An alternative of placement, and an analysis, are preferred only if the text says so. */
const onlyIfSaid: ReadonlySet<string> = new Set(['placement', 'analysis']);

const isWorthPreferring = (
  { action: { program, mode }, group }: Wanted,
  { parts }: Draft,
  phasing: string,
): boolean => {
  // Refinement runs anyway.
  if (group === 'refinement' || (onlyIfSaid.has(group) && mode !== 'prefer')) return false;
  return program !== phasing || parts.workflow_preferences.use_experimental_phasing !== true;
};

/** What places a prediction that the text also requests: "predict the structure and dock it" is a prediction alone, and its placement. */
const placementOfPrediction = (
  draft: Draft,
  wanted: readonly Wanted[],
  isNamed: (program: string) => boolean,
): Wanted | undefined => {
  const predicted = wanted.findIndex(({ action }) => action.alone !== undefined);
  const placement = wanted.find(({ group }, index) => group === 'placement' && predicted >= 0 && index > predicted);
  const { action, words } = wanted[predicted] ?? {};
  if (placement === undefined || action?.alone === undefined || words === undefined) return undefined;
  // "PredictAndBuild will predict the structure, then place it": all of it is that program.
  if (isNamed(action.program)) return undefined;
  draft.setting(action.program, action.alone, true, words);
  return placement;
};

/** The program that runs first: the first of an explicit order, one that is marked as first, or a single program outside the main path. */
const firstOf = (wanted: readonly Wanted[], isSequence: boolean): Wanted | undefined => {
  const first = wanted.find(({ action }) => action.first) ?? (isSequence ? wanted[0] : undefined);
  if (first !== undefined) return first.isAfterAnother ? undefined : first;
  const isOne = new Set(wanted.map(({ action }) => action.program)).size === 1;
  return isOne && wanted.some(({ group, isLater }) => asksAtOnce.has(group) && !isLater) ? wanted[0] : undefined;
};

/** Sets which programs come first, and which are preferred. */
export const keepOrder = (
  draft: Draft,
  followed: readonly SentenceFindings[],
  { programs, words, experiment }: AdviceSources,
): void => {
  const wanted = followed.flatMap((one): readonly Wanted[] =>
    wantedActions(one)
      .map((action) => ({
        action,
        words: one.sentence.words,
        group: programs[action.program]?.group ?? '',
        isLater: one.found.before.length > 0 || atEnd.test(one.sentence.plain) || isPreceded(one, action),
        isAfterAnother:
          [...one.validations, ...one.phasing].some(({ start }) => start < action.start) ||
          one.found.before.some(({ start }) => start > action.start) ||
          isPreceded(one, action) ||
          afterRound.test(one.sentence.plain.slice(action.end)),
      }))
      .filter(
        ({ action }) =>
          action.program !== words.knowledge.meant.validation[experiment] || !atEnd.test(one.sentence.plain),
      ),
  );
  for (const one of followed) if (wantedActions(one).length > 0) draft.used.add(one);
  const { after_program } = draft.parts.stop_conditions;
  const placement = placementOfPrediction(draft, wanted, (program) =>
    words.names.some(
      (name) =>
        name.of.program === program &&
        name.of.alone === undefined &&
        followed.some(({ sentence }) => isFoundIn([name], sentence)),
    ),
  );
  const isSeveral = new Set(wanted.map(({ action }) => action.program)).size > 1;
  const isSequence = isSeveral && followed.some(({ found }) => found.isSequence);
  const first = firstOf(wanted, isSequence);
  if (first !== undefined && first.action.program !== after_program) {
    const { program } = first.action;
    draft.set(['stop_conditions', 'start_with_program'], program, {
      words: first.words,
      says: `${program} runs first.`,
    });
  }
  // In an explicit order the first program is enough.
  if (isSequence && !wanted.some(({ action }) => action.mode === 'prefer')) return;
  keepPreferred(
    draft,
    wanted.filter(
      (one) =>
        one.action.program !== after_program &&
        one.action.program !== first?.action.program &&
        (one === placement || isWorthPreferring(one, draft, words.knowledge.meant.phasing)),
    ),
  );
};

const keepPreferred = (draft: Draft, worth: readonly Wanted[]): void => {
  const programs = [...new Set(worth.map(({ action }) => action.program))];
  if (programs.length === 0) return;
  const says = `${programs.join(', ')} ${programs.length === 1 ? 'goes' : 'go'} first wherever offered.`;
  draft.set(['workflow_preferences', 'prefer_programs'], programs, { words: worth[0]?.words ?? '', says });
};

/** Sets excluded programs. A program that is also the requested end is excluded anyway. */
export const keepSkips = (draft: Draft, followed: readonly SentenceFindings[]): void => {
  const skipped = new Map<string, SentenceFindings>();
  for (const one of followed) {
    const left = one.found.actions.filter(({ mode }) => mode === 'skip');
    if (left.length > 0) draft.used.add(one);
    for (const { program } of left) if (!skipped.has(program)) skipped.set(program, one);
  }
  if (skipped.size === 0) return;
  const stops = draft.parts.stop_conditions;
  const programs = [...skipped.keys()].sort();
  draft.parts.workflow_preferences.skip_programs = programs;
  for (const [program, one] of skipped) {
    draft.understood.push({
      field: 'workflow_preferences.skip_programs',
      value: program,
      words: one.sentence.words,
      says: `${program} is left out.`,
    });
    if (program !== stops.after_program) continue;
    delete stops.after_program;
    draft.conflicts.push(
      `The session is to end with ${program} and to do without it; it is left out, and the session continues to its end.`,
    );
  }
};

const saysOfPhasing = {
  mr_sad: 'Molecular replacement comes first, then phasing with the placed model (MR-SAD).',
  molecular_replacement: 'Molecular replacement goes before experimental phasing.',
  experimental: 'Experimental phasing goes before molecular replacement.',
  placed: 'The submitted model is in its place.',
} as const;

const keepWay = (draft: Draft, { way, wanted }: SentenceFindings['phasing'][number], words: string): void => {
  const sentence = { words, says: saysOfPhasing[way] };
  if (way === 'experimental') {
    const says = wanted ? sentence.says : 'No experimental phasing is done.';
    draft.set(['workflow_preferences', 'use_experimental_phasing'], wanted, { words, says });
  } else if (way === 'mr_sad') {
    const says = wanted ? sentence.says : 'No MR-SAD is done.';
    draft.set(['workflow_preferences', 'use_mr_sad'], wanted, { words, says });
    if (wanted) draft.parts.workflow_preferences.use_experimental_phasing = true;
  } else if (wanted && way === 'placed') {
    draft.set(['workflow_preferences', 'model_is_placed'], true, sentence);
  } else if (wanted && draft.parts.workflow_preferences.use_mr_sad !== true)
    draft.set(['workflow_preferences', 'use_molecular_replacement'], true, sentence);
};

/** Sets the phasing method. */
export const keepPhasing = (draft: Draft, followed: readonly SentenceFindings[]): void => {
  for (const one of followed)
    for (const phasing of one.phasing) {
      draft.used.add(one);
      keepWay(draft, phasing, one.sentence.words);
    }
};
