import { cycleSchema, type CycleRecord } from './cycle';
import { directivesSchema } from '../guidance/directives';
import { sessionFileSchema } from './file-facts';
import { guidanceSchema } from '../guidance/guidance';
import { requestedLigandsSchema } from './ligands';
import { choice, mapOf, record, text, type Described } from '../schema/schema';
import { count, entries, ordinal, path, programName, scalar, time, traceContext } from '../schema/schema-fields';
import { settingsSchema } from '../service/settings';
import { priorities } from '../launches/shares';
import { sampleText, submitted } from './submission';

/** Stages of a running session. A stage is work of seconds for its worker, except `executing`, which waits for a program. */
export const stages = ['deciding', 'executing', 'analysing'] as const;
export type Stage = (typeof stages)[number];

/**
 * - `running`: a stage is due;
 * - `cancelling`: cancellation was requested, the program may still be alive;
 * - `completed`: the agent stopped with a result;
 * - `unsatisfactory`: it ran to its end, but the result is far from what the data allow;
 * - `failed`: the agent stopped without a result, see `stop`;
 * - `cancelled`: cancelled, and nothing of it runs any more.
 */
export const sessionStatuses = ['running', 'cancelling', 'completed', 'unsatisfactory', 'failed', 'cancelled'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];
export type EndedStatus = Exclude<SessionStatus, 'running' | 'cancelling'>;
const endedStatuses: readonly SessionStatus[] = [
  'completed',
  'unsatisfactory',
  'failed',
  'cancelled',
] satisfies EndedStatus[];

/** A session id: 26 characters of Crockford's base 32 in lower case; the first contains three bits. No other form is valid anywhere. */
export const sessionIdPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Stop reasons, and the status of each. */
export const statusOfStopReason = {
  /** Quality targets reached and validated. */
  converged: 'completed',
  /** The requested goal is reached (a target, a last program, analysis only). */
  goal_reached: 'completed',
  /** No further improvement, validated; the best model is the result. */
  plateau: 'completed',
  /** The limit of refinement cycles is reached, validated. */
  refinement_limit: 'completed',
  /** Nothing more can be done with the available files and programs, and there is no error. */
  nothing_left: 'completed',
  /** No further improvement, and the fit is worse than the poor end of its resolution: parts are missing, or the model is wrong. */
  unsatisfactory: 'unsatisfactory',
  /** R-free stays above the hopeless limit after every alternative that files and programs allow: the model is wrong. */
  hopeless: 'failed',
  /** The next step needs a file or a program that is not available. */
  no_program: 'failed',
  max_cycles: 'failed',
  /** A program failed and there is no alternative. */
  program_failed: 'failed',
  red_flag: 'failed',
  /** The backend lost the program more often than the limit of attempts. */
  infrastructure: 'failed',
  error: 'failed',
  cancelled: 'cancelled',
  /** A user removed the last cycles from the record; the session waits to be resumed. */
  cycles_removed: 'cancelled',
} as const satisfies Record<string, EndedStatus>;
export type StopReason = keyof typeof statusOfStopReason;
export const stopReasons = Object.keys(statusOfStopReason) as readonly StopReason[];

/**
 * Outcomes of a session; `outcomeOf` of session-report assigns them. Wire names, in the order in which they are shown:
 * - `solved`: the structure, as far as the knowledge can judge it;
 * - `goal_reached`: the request is fulfilled, and it was less than a structure;
 * - `unfinished`: it ended, for example at a limit, before its result was as good as the data allow;
 * - `unsatisfactory`: it ran to its end, and the science is poor;
 * - `failed_science`: no structure was found;
 * - `failed_infrastructure`: the infrastructure or the service failed, the data are not the cause;
 * - `rejected`: the submission cannot be processed, so nothing was run;
 * - `cancelled`: by request;
 * - `unknown`: it ended without an error, and no metric shows whether the structure is solved.
 */
export const sessionOutcomes = [
  'solved',
  'goal_reached',
  'unfinished',
  'unsatisfactory',
  'failed_science',
  'failed_infrastructure',
  'rejected',
  'cancelled',
  'unknown',
] as const;
export type SessionOutcome = (typeof sessionOutcomes)[number];

export const sessionStopSchema = record(
  'Stop',
  {
    reason: choice(stopReasons),
    detail: text('reason in one sentence, for the user'),
    afterCycle: count(),
  },
  {},
  'the end of a session',
);
export type SessionStop = Described<typeof sessionStopSchema>;

const statedRecoverySchema = record(
  {
    file: text('file that caused the error (path or base name): the changes apply only to commands with this file'),
    programs: entries(text(), 'programs that it applies to; empty: every program that accepts the parameters'),
    set: mapOf(scalar(), 'by program parameter or strategy key'),
    why: text(),
  },
  {},
  'changes for the next run on a file, from an external diagnosis',
);
export type StatedRecovery = Described<typeof statedRecoverySchema>;

const namesByKey = (what: string) => mapOf(entries(text()), what);

/**
 * What the record of the cycles does not contain: set by `resume`, or by a client of the v2 API, which keeps its own session and sends it
 * with every request.
 */
const steeringSchema = record(
  {},
  {
    cyclesDone: count(
      'number of finished cycles, if the record has fewer: a client may send only the end of its history',
    ),
    adviceChangedAfter: count(
      'the submitter gave new advice after this cycle (0: before the first); a finished workflow is open until a later cycle succeeds',
    ),
    retry: record(
      { program: programName(), after: count() },
      {},
      'runs next despite its failures, until a cycle after `after` has run it',
    ),
    recoveries: entries(statedRecoverySchema),
    blocked: entries(text(), 'programs that no longer run in this session'),
    refused: namesByKey('parameters that a program refused, by program'),
    bestFiles: namesByKey('paths of the best files of a category, as chosen by the client'),
  },
  'state that is not in the cycles: new advice, retries, blocked programs',
);
export type SessionSteering = Described<typeof steeringSchema>;

export const sessionIdText = text(
  '26 letters and digits: a lower-case ULID, or a hash of the idempotency key; to sort sessions, use `createdAt`',
  { pattern: sessionIdPattern.source, 'x-allowed': 'a session id: 26 letters and digits' },
);

const forkedFromSchema = record(
  {
    session: sessionIdText,
    afterCycle: ordinal('last copied cycle'),
    requestDigest: text('SHA-256 of the request, hexadecimal; identifies a repeated request'),
  },
  {},
  'session that it was forked from; the first cycles are copies of its records and files',
);

/**
 * As submitted. `resume` changes settings, files and ligands, and a priority can be changed later; `submittedAs` keeps the original values.
 * Advice and directives are in `guidance`.
 */
const sessionRequestSchema = record(
  'SessionRequest',
  {
    ...submitted,
    settings: settingsSchema,
    inputs: entries(sessionFileSchema, 'the submitted files, resolved and inspected'),
  },
  {
    // Absent: not given.
    sample: sampleText,
    // Absent: no ligands without a file; each SMILES has its id.
    ligands: requestedLigandsSchema,
    // Absent: no directives.
    directives: directivesSchema,
    steering: steeringSchema,
    directory: record({ path: path(), files: entries(path()) }, {}, 'submitted folder and the inputs found in it'),
    forkedFrom: forkedFromSchema,
    // Absent: it was submitted alone.
    batch: text('id of its batch', {
      pattern: '^[0-9a-z][0-9a-z-]{0,63}$',
      'x-allowed': 'lower-case letters, digits and "-", at most 64',
    }),
    // Absent: it is not traced.
    traceparent: traceContext(
      'W3C trace context of the submission; all work for the session belongs to this trace; its 32 digits are the trace id',
    ),
    submittedAs: record(
      { settings: settingsSchema, files: entries(path()) },
      { priority: choice(priorities), ligands: requestedLigandsSchema },
      'original settings, file paths and ligands, if a resume changed them; original priority, if it was changed',
    ),
  },
  'the submission',
);
export type SessionRequest = Described<typeof sessionRequestSchema>;

/** Id of the trace that a session belongs to; undefined: none. */
export const traceIdOf = ({ traceparent }: Pick<SessionRequest, 'traceparent'>): string | undefined =>
  traceparent?.split('-')[1];

export const headMembers = {
  id: sessionIdText,
  status: choice(sessionStatuses),
  stage: choice(stages),
  cycle: ordinal('the current cycle, from 1'),
  attempt: ordinal('the current attempt of the current cycle, from 1'),
  version: count('increases by one with every transition; a step with another version is stale and changes nothing'),
  wakeUps: count('how often the sweeper woke the current version again'),
  folder: path("the session's folder, `<work root>/<proposal>/<id>`"),
  createdAt: time(),
  updatedAt: time(),
} as const;

/** Not in a whole session: there the guidance itself contains it. */
export const headOptions = {
  advised: ordinal('revision of the guidance, if it has changed since submission'),
} as const;

export const sessionHeadSchema = record(
  'SessionHead',
  headMembers,
  headOptions,
  'the part of a session that changes often',
);
export type SessionHead = Described<typeof sessionHeadSchema>;

const waitingDecisionSchema = record(
  { since: time('start of the wait'), reason: text('why no language model answers') },
  {},
  'a decision that waits for a language model (setting `model_outage`)',
);
export type WaitingDecision = Described<typeof waitingDecisionSchema>;

export const sessionMembers = {
  required: { ...headMembers, request: sessionRequestSchema, cycles: entries(cycleSchema) },
  optional: { stop: sessionStopSchema, guidance: guidanceSchema, waiting: waitingDecisionSchema },
} as const;

/** The whole session record: the source of truth for queues, files and pages. */
export const sessionSchema = record(sessionMembers.required, sessionMembers.optional);
export type Session = Described<typeof sessionSchema>;

/** A status that a newer release has added counts as not ended. */
export const isEnded = (status: SessionStatus): status is EndedStatus => endedStatuses.includes(status);

/** The cycle in progress, or the last one. */
export const currentCycle = (session: Session): CycleRecord | undefined =>
  session.cycles.find((record) => record.cycle === session.cycle);

/** Analysed cycles, oldest first: the input of decisions. */
export const analysedCycles = (session: Pick<Session, 'cycles'>): readonly Required<CycleRecord>[] =>
  session.cycles.filter((record): record is Required<CycleRecord> => record.result !== undefined);
