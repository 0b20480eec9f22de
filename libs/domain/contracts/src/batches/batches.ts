import { apiProblemSchema, samenessSchema, sessionRowSchema } from '../sessions/answers';
import { fileUseSchema } from '../sessions/file-facts';
import type { RequestedLigand } from '../sessions/ligands';
import { choice, closed, flag, list, record, text, partial, type Described, type Schema } from '../schema/schema';
import { count, countOf, ordinal, path, time } from '../schema/schema-fields';
import {
  sessionIdText,
  sessionOutcomes,
  sessionStatuses,
  type SessionOutcome,
  type SessionStatus,
} from '../sessions/session';
import { expectedWaitSchema, priorities, type Priority } from '../launches/shares';
import { submissionSchema, submitted } from '../sessions/submission';

/**
 * When the rows of a batch start:
 * - `each`: as soon as the row is found to be valid, independent of the others;
 * - `together`: when the manifest is complete and every row is valid; otherwise none starts;
 * - `never`: the rows are only checked.
 */
const batchStarts = ['each', 'together', 'never'] as const;
export type BatchStart = (typeof batchStarts)[number];

/** What happens to a row that duplicates a session of the proposal: it is submitted anyway, or skipped. */
export const duplicateRules = ['submit', 'skip'] as const;
export type DuplicateRule = (typeof duplicateRules)[number];

/** `paused`: no more rows are checked or started; running sessions continue. `cancelled`: final, and its sessions are cancelled. */
const batchStatuses = ['open', 'paused', 'cancelled'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/**
 * The state of a row:
 * - `waiting`: not checked yet;
 * - `checked`: valid, and not started;
 * - `accepted`: its session has been started;
 * - `duplicate`: its files, settings and advice are those of an earlier session, and the batch skips such rows;
 * - `rejected`: invalid, see `problems`;
 * - `cancelled`: its batch was cancelled before it was started.
 */
export const rowStates = ['waiting', 'checked', 'accepted', 'duplicate', 'rejected', 'cancelled'] as const;
export type RowState = (typeof rowStates)[number];

const { files, input_directory, title, beamline, priority, advice, advice_file, ligands, settings, directives } =
  submissionSchema.properties as unknown as {
    readonly files: Schema<readonly string[]>;
    readonly input_directory: Schema<string>;
    readonly title: Schema<string>;
    readonly beamline: Schema<string>;
    readonly priority: Schema<Priority>;
    readonly advice: Schema<string>;
    readonly advice_file: Schema<string>;
    readonly ligands: Schema<readonly RequestedLigand[]>;
    readonly settings: Schema<Readonly<Record<string, unknown>>>;
    readonly directives: Schema<Readonly<Record<string, unknown>>>;
  };

/** Fields of a submission for all rows; paths may be relative, and texts may contain variables. */
const batchDefaultsSchema = record(
  'RowDefaults',
  {},
  {
    files,
    input_directory: { ...input_directory, pattern: '^[^\\u0000]*$' },
    title,
    beamline,
    priority,
    advice,
    advice_file,
    ligands,
    settings,
    directives,
  },
  'default fields of every row; files are added to those of the row; {name} is replaced by a variable of the row',
);
export type BatchDefaults = Described<typeof batchDefaultsSchema>;

const base = path('base folder of relative paths');

const common = {
  title: submitted.title,
  proposal: submitted.proposal,
  submitter: submitted.submitter,
  start: choice(batchStarts, 'when rows start', { default: 'each' }),
  duplicates: choice(
    duplicateRules,
    'treatment of a row with the same files, settings and advice as an earlier session of the proposal',
    { default: 'submit' },
  ),
} as const;

/** Maximum number of rows of a batch. */
export const maxBatchRows = 10_000;

/** The request for a batch. Rows may be included, found in a folder, or added later. */
export const batchRequestSchema = closed(
  record(
    'BatchRequest',
    {},
    {
      ...common,
      base,
      defaults: batchDefaultsSchema,
      rows: list({}, 'rows: objects with the fields of a submission, and `variables`', {
        maxItems: maxBatchRows,
      }),
      folder: record(
        {
          pattern: text('path pattern of the data files: {name} captures a variable, * matches any text', {
            minLength: 1,
            maxLength: 4096,
          }),
        },
        {},
        'each matching file becomes a row',
      ),
    },
  ),
);
export type BatchRequest = Described<typeof batchRequestSchema>;

const owner = text('creator; rows are submitted in this name; absent: access control was off');

/** The immutable part of a batch. */
const batchSchema = record(
  { id: sessionIdText, ...common, createdAt: time() },
  { base, defaults: batchDefaultsSchema, owner },
  'many submissions from one manifest',
);
export type Batch = Described<typeof batchSchema>;

/** A batch and its progress. */
export interface BatchState {
  readonly batch: Batch;
  readonly status: BatchStatus;
  /** No more rows follow. */
  readonly complete: boolean;
  readonly rows: number;
  readonly states: Readonly<Record<RowState, number>>;
  /** Later priority of the batch: it overrides that of rows that start from then on. Absent: not changed. */
  readonly priority?: Priority;
  /** Milliseconds since the epoch: when rows were last added, processed or run again, or its status was changed. */
  readonly changedAt: number;
}

const batchLinksSchema = record(
  { self: text(), rows: text(), results: text(), csv: text() },
  {},
  'URLs of related resources',
);

export const batchViewSchema = record(
  'Batch',
  {
    id: sessionIdText,
    ...common,
    createdAt: time(),
    status: choice(batchStatuses),
    complete: flag('the batch is complete'),
    rows: count(),
    states: countOf(rowStates, 'number of rows by state'),
    sessions: countOf<SessionStatus>(sessionStatuses, 'current number of sessions by status'),
    outcomes: countOf<SessionOutcome>(sessionOutcomes, 'number of ended sessions by outcome (docs/outcomes.md)'),
    done: flag('every row has been processed and every session has ended'),
    state: text('progress in one sentence'),
    links: batchLinksSchema,
  },
  {
    base,
    defaults: batchDefaultsSchema,
    owner,
    priority: choice(
      priorities,
      'changed priority for all rows that start later, whatever they state; absent: not changed',
    ),
  },
  'a batch and its progress',
);
export type BatchView = Described<typeof batchViewSchema>;

export const batchPageSchema = record(
  'BatchList',
  { batches: list(batchViewSchema) },
  { nextCursor: text('pass it as ?cursor= to continue; absent on the last page') },
);
export type BatchPage = Described<typeof batchPageSchema>;

/** The first step of a session; a stop: the session would end at once, with the reason. */
export const firstStepSchema = record(
  'FirstStep',
  {},
  {
    program: text(),
    command: text('as a shell command'),
    class: choice(['cpu', 'gpu', 'either'], 'node class of the program; either: a GPU node if there is one'),
    reasoning: text(),
    priority: choice(priorities, 'priority in the queue for a slot'),
    stop: text('why it would end without running a program, in one sentence'),
  },
  "first step of the row's session with the programs installed now",
);
export type FirstStep = Described<typeof firstStepSchema>;

const earlierSessionSchema = record(
  'EarlierSession',
  { session: sessionIdText, same: samenessSchema },
  {},
  'an earlier session with the same data in the same proposal; duplicates are preferred, then the newest',
);
export type EarlierSession = Described<typeof earlierSessionSchema>;

/** The view of a row. */
const batchRowSchema = record(
  'BatchRow',
  {
    row: ordinal('number of the row in the batch, from 1, in order of arrival'),
    line: count('first line of the row in its manifest, from 1'),
    state: choice(rowStates),
    run: count('number of reruns'),
  },
  {
    session: sessionIdText,
    earlier: earlierSessionSchema,
    first: firstStepSchema,
    // For a row of a dry run, if the executors have reported their capacity.
    wait: expectedWaitSchema,
    problems: list(apiProblemSchema, 'problems of the row; a long list is cut'),
    unused: list(fileUseSchema, 'files that no program would use, with the reason; with `strict` the row is rejected'),
  },
  'a row of a batch with its outcome',
);
export type BatchRow = Described<typeof batchRowSchema>;

export const batchRowPageSchema = record(
  'BatchRowList',
  { rows: list(batchRowSchema) },
  { nextCursor: text('pass it as ?cursor= to continue; absent on the last page') },
);
export type BatchRowPage = Described<typeof batchRowPageSchema>;

const batchResultSchema = record(
  'BatchResult',
  { row: ordinal(), state: choice(rowStates) },
  { session: sessionRowSchema, href: text('URL of the session'), problems: list(apiProblemSchema) },
  'a row of a batch with the results of its session so far; for a duplicate, of the earlier session',
);
export type BatchResult = Described<typeof batchResultSchema>;

export const batchResultPageSchema = record(
  'BatchResults',
  { results: list(batchResultSchema) },
  { nextCursor: text('pass it as ?cursor= to continue; absent on the last page') },
);
export type BatchResultPage = Described<typeof batchResultPageSchema>;

/** The result of adding rows. */
export const rowsAddedSchema = record(
  'RowsAdded',
  {
    added: count('new rows'),
    known: count('rows with the same content as existing rows'),
    unreadable: count('unreadable rows; their problems are listed in the rows'),
    rows: count('number of rows of the batch'),
  },
  {},
  'result of adding rows',
);
export type RowsAdded = Described<typeof rowsAddedSchema>;

/** Which rows are run again; by default rejected ones, and those whose session failed. */
export const retriable = ['rejected', 'failed', 'unsatisfactory', 'cancelled', 'duplicate'] as const;
export type Retriable = (typeof retriable)[number];
export const retryRequestSchema = partial('RetryRequest', {
  of: list(choice(retriable), 'rows that are rejected, or whose session ended with this outcome', {
    minItems: 1,
    maxItems: retriable.length,
  }),
});

export const rowsRetriedSchema = record(
  'RowsRetried',
  { retried: count('number of rows that are rerun') },
  {},
  'number of rows that are rerun',
);
export type RowsRetried = Described<typeof rowsRetriedSchema>;

/** The priority of rows that are not sessions yet. */
export const batchPriorityRequestSchema = closed(
  record('BatchPriorityRequest', {
    priority: choice(priorities, 'priority of rows without a session; existing sessions keep theirs'),
  }),
);

export const batchPrioritySchema = record(
  'BatchPriority',
  {
    priority: choice(priorities),
    rows: count('rows without a session: they start with the new priority'),
    sessions: count('rows with a session: they keep their priority'),
    message: text('the reason in one sentence'),
  },
  {},
  'effect of a priority change on a batch',
);
export type BatchPriority = Described<typeof batchPrioritySchema>;

/** Sort orders of a batch's results; rows without the value come last, and equal ones in row order. */
export const resultOrders = ['row', 'fit', 'resolution', 'ligand'] as const;
export type ResultOrder = (typeof resultOrders)[number];

/** Media types of manifests. For each of them a web page of another origin needs a preflight request. */
export const manifestTypes = [
  'text/csv',
  'text/tab-separated-values',
  'application/yaml',
  'application/x-yaml',
  'application/x-ndjson',
  'application/jsonl',
] as const;
