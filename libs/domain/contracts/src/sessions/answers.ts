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
    sample: text('name of the sample; absent: none was given'),
    batch: text('id of the batch that it belongs to; absent: it was submitted alone'),
    forkedFrom: record(
      { session: text('its id'), afterCycle: ordinal('the last cycle that both have') },
      {},
      'of a fork: where it is from',
    ),
    outcome: choice(sessionOutcomes, 'its outcome (docs/outcomes.md); absent while it runs'),
    stopReason: choice(stopReasons, 'why it ended; absent while it runs'),
    stopDetail: text('why it ended, in a sentence, shortened; absent while it runs'),
    endedAt: time('absent while it runs'),
    program: text('of the cycle that was decided last'),
    resolution: number('Å; of the data'),
    spaceGroup: text('as its source writes it; absent of a map'),
    // Absent until a relevant metric was measured.
    fit: sessionFitSchema,
    // Absent without a fitted ligand.
    ligand: sessionLigandSchema,
    fits: list(
      number(),
      'what `fit` says, as the last cycles that measured it did, the newest last; absent before the second',
    ),
    maxCycles: ordinal('cycles after which it stops; absent of one that an older release wrote'),
    waiting: text(
      'why its program has not started yet, or its next decision is not made, shortened; absent: it does not wait',
    ),
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
    outcomes: countOf<SessionOutcome>(sessionOutcomes, 'those that have ended by outcome (docs/outcomes.md)'),
    waiting: count('of those that run: whose next program waits for a slot'),
  },
  {
    oldestWaitingSince: time('since when the one waits that waits longest; absent: none waits'),
    // Absent while programs are launched.
    launches: launchStateSchema,
  },
  'how many sessions there are, of those that one sees, and why none of their programs starts where an administrator has said so',
);
export type SessionCounts = Described<typeof sessionCountsSchema>;

export const sessionLinksSchema = record(
  'SessionLinks',
  { self: text(), status: text(), events: text(), results: text(), summary: text() },
  {},
  'URLs of what belongs to a session',
);
export type SessionLinks = Described<typeof sessionLinksSchema>;

export const outcomeViewSchema = record(
  'Outcome',
  {
    word: choice(sessionOutcomes),
    sentence: text('what the word means'),
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
  'everything: the contents of all files, the settings and what is asked for; data: the contents of reflections and maps alone',
);

export const similarSessionSchema = record(
  'SimilarSession',
  {
    sessionId: sessionIdText,
    same: samenessSchema,
    title: text(),
    status: choice(sessionStatuses),
    createdAt: time(),
    href: text('URL of the session'),
  },
  { outcome: choice(sessionOutcomes, 'its outcome (docs/outcomes.md); absent while it runs') },
  'another session of the same data in the same proposal',
);
export type SimilarSession = Described<typeof similarSessionSchema>;

export const sessionViewSchema = record(
  'Session',
  {
    ...sessionMembers.required,
    simulated: flag('true when any program of it was a scripted stand-in'),
    links: sessionLinksSchema,
  },
  {
    ...sessionMembers.optional,
    // Absent while it runs.
    outcome: outcomeViewSchema,
    similar: list(
      similarSessionSchema,
      'in the answer to a submission: other sessions of the same data, duplicates first and then the newest; absent where there is none',
    ),
    fileUses: list(fileUseSchema, 'in the answer to a submission: the outcome of each file'),
  },
  'a session: the record itself, what follows from it, and where to continue',
);
export type SessionView = Described<typeof sessionViewSchema>;

export const eventsViewSchema = record(
  'EventList',
  {
    events: list(storedEventSchema),
    next: text(
      'where the next part begins, pass it as ?after=: the id of the last event, or the one that was asked for',
    ),
  },
  {},
  "a part of a session's events",
);
export type EventsView = Described<typeof eventsViewSchema>;

export const sessionUpdateSchema = record(
  'SessionUpdate',
  {
    session: sessionRowSchema,
    events: list(storedEventSchema, 'what the move had to tell, oldest first'),
  },
  { was: choice(sessionStatuses, 'what the session was before the move; absent of a new one') },
  'a move of a session, and the session as it is after it (or later)',
);
export type SessionUpdate = Described<typeof sessionUpdateSchema>;

export const sessionUpdatePageSchema = record(
  'SessionUpdatePage',
  {
    updates: list(sessionUpdateSchema),
    next: text('where the next part begins, pass it as ?after='),
    missed: flag('moves before these are deleted: lists have to be read again'),
  },
  {},
  'moves of many sessions, as far as they are there',
);
export type SessionUpdatePage = Described<typeof sessionUpdatePageSchema>;

/** Why a stream of many sessions restarts or ends. */
const streamNoticeCodes = ['events.not_kept', 'events.too_slow', 'events.not_admitted'] as const;
export const streamNoticeSchema = record(
  'StreamNotice',
  { code: choice(streamNoticeCodes), detail: text('a sentence for people') },
  {},
  'of a stream of many sessions: why it begins again (`reload`), or ends (`end`)',
);
export type StreamNotice = Described<typeof streamNoticeSchema>;

export const outputFileSchema = record(
  'OutputFile',
  {
    cycle: integer(),
    program: text(),
    name: text("relative to the attempt's folder; unique inside its cycle"),
    path: text(),
    size: integer('bytes'),
    format: choice(fileFormats),
    href: text('the URL to download it from'),
  },
  {},
  'a file that a cycle made',
);
export type OutputFile = Described<typeof outputFileSchema>;

export const bestFileSchema = record(
  'BestFile',
  { category: text(), stage: text(), score: number(), path: text(), cycle: integer('0: submitted') },
  { href: text('the URL to download it from; absent for a submitted file with which no program has worked yet') },
  'the best file for a purpose',
);
export type BestFileView = Described<typeof bestFileSchema>;

export const resultMetricSchema = record(
  'ResultMetric',
  { ...measuredValue.required, cycle: integer('the last one that measured it'), program: text() },
  measuredValue.optional,
  'the last value of a metric, and where it comes from',
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
    summary: text('where the session in words can be read'),
  },
  { stop: sessionStopSchema, outcome: outcomeViewSchema },
  'what a session has brought so far, or in the end',
);
export type ResultsView = Described<typeof resultsViewSchema>;

export const apiProblemSchema = record(
  'FieldProblem',
  { field: text(), reason: text() },
  {
    allowed: text(),
    code: text('one of the codes of problems, or the code of another fault'),
  },
  'one thing that is wrong, with a code that programs can compare',
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
    requestId: text(
      'id of the request, as in X-Request-Id; where the service failed (5xx), the log of the gateway says more under it',
    ),
  },
  {
    problems: list(apiProblemSchema, 'all problems at once'),
    traceId: text('of the trace that the request belongs to, as in Trace-Id; absent: the service is not traced'),
  },
  'an error as RFC 9457 prints it',
);
export type ProblemDetails = Described<typeof problemDetailsSchema>;
