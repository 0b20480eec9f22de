import {
  analysedCycles,
  isEnded,
  type EndedStatus,
  type OutcomeView,
  type Session,
  type SessionFit,
  type SessionOutcome,
  type SessionStatus,
  type SessionStop,
  type StopReason,
} from '@fleet/contracts/sessions';

/** The part of a record that determines its outcome. */
export interface Ended {
  readonly status: SessionStatus;
  readonly stop?: Pick<SessionStop, 'reason' | 'afterCycle'> | undefined;
  /** Of the last analysed cycle. */
  readonly fit?: Pick<SessionFit, 'quality'> | undefined;
}

type Rule = SessionOutcome | ((ended: Ended) => SessionOutcome);

/** If no rule has compared the fit with what the data allow, its own quality decides whether the structure is solved. */
const byQuality =
  (otherwise: (fit: Ended['fit']) => SessionOutcome): Rule =>
  ({ fit }) =>
    fit?.quality === 'good' || fit?.quality === 'acceptable' ? 'solved' : otherwise(fit);
const unfinishedWhereMeasured = byQuality((fit) => (fit?.quality === undefined ? 'unknown' : 'unfinished'));
/** Before the first cycle nothing was tried: the submission is the cause. */
const byCycles: Rule = ({ stop }) => (stop?.afterCycle === 0 ? 'rejected' : 'failed_science');

const ruleOf: Readonly<Record<StopReason, Rule>> = {
  converged: 'solved',
  plateau: 'solved',
  goal_reached: byQuality(() => 'goal_reached'),
  refinement_limit: unfinishedWhereMeasured,
  nothing_left: unfinishedWhereMeasured,
  unsatisfactory: 'unsatisfactory',
  hopeless: 'failed_science',
  max_cycles: 'failed_science',
  program_failed: 'failed_science',
  no_program: byCycles,
  red_flag: byCycles,
  infrastructure: 'failed_infrastructure',
  error: 'failed_infrastructure',
  cancelled: 'cancelled',
  cycles_removed: 'cancelled',
};

const outcomeOfStatus: Readonly<Record<EndedStatus, SessionOutcome>> = {
  completed: 'unknown',
  unsatisfactory: 'unsatisfactory',
  failed: 'failed_science',
  cancelled: 'cancelled',
};

const rules: ReadonlyMap<string | undefined, Rule> = new Map(Object.entries(ruleOf));

/**
 * The outcome of a session, determined only here. Undefined: it has not ended. For a reason that a newer release has added the status
 * decides.
 */
export const outcomeOf = (ended: Ended): SessionOutcome | undefined => {
  const { status, stop } = ended;
  if (!isEnded(status)) return undefined;
  const rule = rules.get(stop?.reason);
  if (rule === undefined) return outcomeOfStatus[status];
  return typeof rule === 'string' ? rule : rule(ended);
};

/** The meaning of each outcome, and what to do. Advice for single stop reasons is in `knowledge/stops.yaml`. */
export const outcomeTexts: Readonly<Record<SessionOutcome, Omit<OutcomeView, 'word'>>> = {
  solved: {
    sentence: 'The structure is solved as far as its numbers can tell.',
    next: 'Look at the model and its map before you use them.',
  },
  goal_reached: {
    sentence: 'The requested work is done.',
    next: 'Use the result, or resume without that stop condition.',
  },
  unfinished: {
    sentence: 'The session ended before its result was as good as the data allow.',
    next: 'The reason gives the quality of the model and what may improve it. Follow it, and resume.',
  },
  unsatisfactory: {
    sentence: 'The session ran to its end, but its result is far from what the data promise.',
    next: 'Remove the likeliest cause, which the reason names, and resume or submit again. Do not deposit this model.',
  },
  failed_science: {
    sentence: 'The session reached no structure with these files, programs and settings.',
    next: 'Follow the reason: correct a file or a setting, or add a file, and resume.',
  },
  failed_infrastructure: {
    sentence: 'The machine or the service failed; the data are not the cause.',
    next: 'Report it to the operators of the service, and resume once it is repaired.',
  },
  rejected: {
    sentence: 'The submission cannot be processed, so no program ran.',
    next: 'Follow the reason, and submit again with other files or settings.',
  },
  cancelled: {
    sentence: 'The session was cancelled on request. Its files and results are kept.',
    next: 'Nothing, or resume: it continues with its next cycle.',
  },
  unknown: {
    sentence: 'The session ended without an error, but no measurement shows whether the structure is solved.',
    next: 'Look at its results, and resume with what the reason names.',
  },
};

/** The finding of the last successful program, in its own sentence. */
const foundBy = (cycles: ReturnType<typeof analysedCycles>): readonly string[] => {
  const last = cycles.findLast(({ result }) => result.outcome === 'success');
  return last === undefined ? [] : [`${last.decision.program}: ${last.result.summary.replace(/\.?$/, '.')}`];
};

/**
 * The outcome of a session, with its meaning and what to do; undefined: it has not ended. If the request is fulfilled, the finding of the
 * last program is part of the sentence.
 */
export const explainedOutcome = (session: Pick<Session, 'status' | 'stop' | 'cycles'>): OutcomeView | undefined => {
  const cycles = analysedCycles(session);
  const word = outcomeOf({ status: session.status, stop: session.stop, fit: cycles.at(-1)?.result.fit });
  if (word === undefined) return undefined;
  const { sentence, next } = outcomeTexts[word];
  return { word, sentence: [sentence, ...(word === 'goal_reached' ? foundBy(cycles) : [])].join(' '), next };
};

/** Every outcome that a session with this stop reason may have. */
export const outcomesOfReason = (reason: StopReason): readonly SessionOutcome[] => {
  const rule = ruleOf[reason];
  if (typeof rule === 'string') return [rule];
  const ends: readonly Ended[] = [
    { status: 'completed', stop: { reason, afterCycle: 0 } },
    { status: 'completed', stop: { reason, afterCycle: 1 }, fit: { quality: 'good' } },
    { status: 'completed', stop: { reason, afterCycle: 1 }, fit: { quality: 'needs improvement' } },
  ];
  return [...new Set(ends.map(rule))];
};
