import { measuredValue, sessionFitSchema, sessionLigandSchema, type ExperimentType } from './cycle';
import { storedEventSchema } from './events';
import { fileFormats, fileUseSchema } from './file-facts';
import { choice, flag, integer, list, number, record, text, type Described } from '../schema/schema';
import { count, countOf, ordinal, time } from '../schema/schema-fields';
import {
  headMembers,
  headOptions,
  sessionIdText,
  sessionMembers,
  sessionOutcomes,
  sessionStatuses,
  sessionStopSchema,
  stopReasons,
  type SessionOutcome,
  type SessionStatus,
  type WaitingDecision,
} from './session';
import { launchStateSchema } from '../launches/launch-control';
import { queueStatusSchema } from '../launches/shares';

/** What the gateway answers with, where that is not a record: its OpenAPI description and `phx` use these too. */

/** A session in a list: its head and summary fields. At most 1 kB as JSON, unless its title is long. */
export const sessionRowSchema = record(
  'SessionRow',
  { ...headMembers, title: text(), proposal: text(), beamline: text(), submitter: text() },
  {
    ...headOptions,
    sample: text('sample name; absent: none given'),
    batch: text('id of its batch; absent: not in a batch'),
    forkedFrom: record({ session: text('its id'), afterCycle: ordinal('last common cycle') }, {}, 'origin of a fork'),
    outcome: choice(sessionOutcomes, 'outcome (docs/outcomes.md); absent while it runs'),
    stopReason: choice(stopReasons, 'stop reason; absent while it runs'),
    stopDetail: text('why it ended, in one sentence, shortened; absent while it runs'),
    endedAt: time('absent while it runs'),
    program: text('program of the last decided cycle'),
    resolution: number('resolution limit of the data in Å'),
    spaceGroup: text('Hermann-Mauguin symbol (P 43 21 2); absent for a map'),
    // Absent until a relevant metric was measured.
    fit: sessionFitSchema,
    // Absent without a fitted ligand.
    ligand: sessionLigandSchema,
    fits: list(
      number(),
      'values of `fit` in the last cycles that measured it, newest last; absent before the second measurement',
    ),
    maxCycles: ordinal('maximum number of cycles; absent in records of older releases'),
    waiting: text('why its program or its next decision waits, shortened; absent: it does not wait'),
    // Absent unless it waits for a slot.
    queueStatus: queueStatusSchema,
  },
);
export type SessionRow = Described<typeof sessionRowSchema>;
/** The progress of the work in a row. */
export type RowProgress = Pick<
  SessionRow,
  'program' | 'resolution' | 'spaceGroup' | 'fit' | 'fits' | 'ligand' | 'maxCycles' | 'waiting'
> & {
  /** The waiting decision; the row contains its text. */
  readonly decision?: WaitingDecision;
  /** Programs that ran, each once; sessions are searched by them. Absent in rows of older releases. */
  readonly programs?: readonly string[];
  /** Absent in rows of older releases. */
  readonly experiment?: ExperimentType;
};

export const sessionPageSchema = record(
  'SessionList',
  { sessions: list(sessionRowSchema) },
  { nextCursor: text('pass it as ?cursor= to continue; absent on the last page') },
);
export type SessionPage = Described<typeof sessionPageSchema>;

export const sessionCountsSchema = record(
  'SessionCounts',
  {
    sessions: countOf<SessionStatus>(sessionStatuses, 'by status'),
    outcomes: countOf<SessionOutcome>(sessionOutcomes, 'number of ended sessions by outcome (docs/outcomes.md)'),
    waiting: count('running sessions whose next program waits for a slot'),
  },
  {
    oldestWaitingSince: time('start of the longest wait; absent: none waits'),
    // Absent while programs are launched.
    launches: launchStateSchema,
  },
  'number of visible sessions by status, and why no programs start if launches are stopped',
);
export type SessionCounts = Described<typeof sessionCountsSchema>;

const sessionLinksSchema = record(
  'SessionLinks',
  { self: text(), status: text(), events: text(), results: text(), summary: text() },
  {},
  'URLs related to a session',
);
export type SessionLinks = Described<typeof sessionLinksSchema>;

const outcomeViewSchema = record(
  'Outcome',
  {
    word: choice(sessionOutcomes),
    sentence: text('meaning of the outcome'),
    next: text('what to do'),
  },
  {},
  'the outcome of a session (docs/outcomes.md)',
);
export type OutcomeView = Described<typeof outcomeViewSchema>;

/** How two submissions may be equal. */
const samenesses = ['everything', 'data'] as const;
export const samenessSchema = choice(
  samenesses,
  'everything: the same file contents, settings and guidance; data: the same reflections or maps only',
);

const similarSessionSchema = record(
  'SimilarSession',
  {
    sessionId: sessionIdText,
    same: samenessSchema,
    title: text(),
    status: choice(sessionStatuses),
    createdAt: time(),
    href: text('URL of the session'),
  },
  { outcome: choice(sessionOutcomes, 'outcome (docs/outcomes.md); absent while it runs') },
  'another session with the same data in the same proposal',
);
export type SimilarSession = Described<typeof similarSessionSchema>;

export const sessionViewSchema = record(
  'Session',
  {
    ...sessionMembers.required,
    simulated: flag('true if any of its programs was a scripted stand-in'),
    links: sessionLinksSchema,
  },
  {
    ...sessionMembers.optional,
    // Absent while it runs.
    outcome: outcomeViewSchema,
    similar: list(
      similarSessionSchema,
      'in the response to a submission: other sessions with the same data, duplicates first, then newest first; absent: none',
    ),
    fileUses: list(fileUseSchema, 'in the response to a submission: the use of each file'),
  },
  'a session: its record, derived values, and links',
);
export type SessionView = Described<typeof sessionViewSchema>;

export const eventsViewSchema = record(
  'EventList',
  {
    events: list(storedEventSchema),
    next: text('cursor of the next page, pass it as ?after=: id of the last event, or the requested cursor'),
  },
  {},
  'a page of the events of a session',
);
export type EventsView = Described<typeof eventsViewSchema>;

const sessionUpdateSchema = record(
  'SessionUpdate',
  {
    session: sessionRowSchema,
    events: list(storedEventSchema, 'events of the change, oldest first'),
  },
  { was: choice(sessionStatuses, 'session before the change; absent for a new session') },
  'a change of a session, and the session after it (or later)',
);
export type SessionUpdate = Described<typeof sessionUpdateSchema>;

export const sessionUpdatePageSchema = record(
  'SessionUpdatePage',
  {
    updates: list(sessionUpdateSchema),
    next: text('cursor of the next page, pass it as ?after='),
    missed: flag('earlier updates are deleted: read your lists again'),
  },
  {},
  'updates of many sessions',
);
export type SessionUpdatePage = Described<typeof sessionUpdatePageSchema>;

/** Why a stream of many sessions restarts or ends. */
const streamNoticeCodes = ['events.not_kept', 'events.too_slow', 'events.not_admitted'] as const;
export const streamNoticeSchema = record(
  'StreamNotice',
  { code: choice(streamNoticeCodes), detail: text('message for users, in one sentence') },
  {},
  'why a stream of session updates restarts (`reload`) or ends (`end`)',
);
export type StreamNotice = Described<typeof streamNoticeSchema>;

const outputFileSchema = record(
  'OutputFile',
  {
    cycle: integer(),
    program: text(),
    name: text("path relative to the attempt's folder; unique in its cycle"),
    path: text(),
    size: integer('size in bytes'),
    format: choice(fileFormats),
    href: text('download URL'),
  },
  {},
  'an output file of a cycle',
);
export type OutputFile = Described<typeof outputFileSchema>;

const bestFileSchema = record(
  'BestFile',
  { category: text(), stage: text(), score: number(), path: text(), cycle: integer('0: submitted') },
  { href: text('download URL; absent for a submitted file that no program has used yet') },
  'the best file for a purpose',
);
export type BestFileView = Described<typeof bestFileSchema>;

const resultMetricSchema = record(
  'ResultMetric',
  { ...measuredValue.required, cycle: integer('last program that measured it'), program: text() },
  measuredValue.optional,
  'last value of a metric and its source',
);
export type ResultMetric = Described<typeof resultMetricSchema>;

export const resultsViewSchema = record(
  'Results',
  {
    id: text(),
    status: choice(sessionStatuses),
    simulated: flag(),
    folder: text(),
    bestFiles: list(bestFileSchema),
    metrics: list(resultMetricSchema),
    files: list(outputFileSchema),
    submitted: list(fileUseSchema, 'the outcome of each submitted file'),
    summary: text('URL of the summary'),
  },
  { stop: sessionStopSchema, outcome: outcomeViewSchema },
  'results of a session, final or so far',
);
export type ResultsView = Described<typeof resultsViewSchema>;

export const apiProblemSchema = record(
  'FieldProblem',
  { field: text(), reason: text() },
  {
    allowed: text(),
    code: text('one of the codes of problems, or the code of another fault'),
  },
  'a problem with a stable code',
);
export type ApiProblem = Described<typeof apiProblemSchema>;

export const problemDetailsSchema = record(
  'Problem',
  {
    type: text(),
    title: text(),
    status: integer(),
    detail: text(),
    instance: text(),
    code: text("one of the API's codes, or a fault's own"),
    requestId: text('request id, as in X-Request-Id; for 5xx errors, search the gateway log for it'),
  },
  {
    problems: list(apiProblemSchema, 'all problems at once'),
    traceId: text('trace id of the request, as in Trace-Id; absent: tracing is off'),
  },
  'a problem document (RFC 9457)',
);
export type ProblemDetails = Described<typeof problemDetailsSchema>;
