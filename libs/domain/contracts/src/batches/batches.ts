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
export const batchStarts = ['each', 'together', 'never'] as const;
export type BatchStart = (typeof batchStarts)[number];

/** What happens to a row that duplicates a session of the proposal: it is submitted anyway, or skipped. */
export const duplicateRules = ['submit', 'skip'] as const;
export type DuplicateRule = (typeof duplicateRules)[number];

/** `paused`: no more rows are checked or started; running sessions continue. `cancelled`: final, and its sessions are cancelled. */
export const batchStatuses = ['open', 'paused', 'cancelled'] as const;
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
  'members of every row that does not have them itself; files are added to those of the row; {name} in a text stands for a variable of the row',
);
export type BatchDefaults = Described<typeof batchDefaultsSchema>;

const base = path('the folder at which paths begin that are not absolute');

const common = {
  title: submitted.title,
  proposal: submitted.proposal,
  submitter: submitted.submitter,
  start: choice(batchStarts, 'when its rows start', { default: 'each' }),
  duplicates: choice(
    duplicateRules,
    'the outcome of a row whose files, settings and advice are those of an earlier session of the proposal',
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
      rows: list({}, 'rows: objects with the members of a submission, and `variables`', {
        maxItems: maxBatchRows,
      }),
      folder: record(
        {
          pattern: text('path of the data files, with {name} for parts that become variables and * for any text', {
            minLength: 1,
            maxLength: 4096,
          }),
        },
        {},
        'each file that is found becomes a row',
      ),
    },
  ),
);
export type BatchRequest = Described<typeof batchRequestSchema>;

const owner = text('whose key it was made with: its rows are submitted as theirs; absent: the gateway was open');

/** The immutable part of a batch. */
export const batchSchema = record(
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
  'URLs of what belongs to it',
);

export const batchViewSchema = record(
  'Batch',
  {
    id: sessionIdText,
    ...common,
    createdAt: time(),
    status: choice(batchStatuses),
    complete: flag('no more rows follow'),
    rows: count(),
    states: countOf(rowStates, 'rows by outcome'),
    sessions: countOf<SessionStatus>(sessionStatuses, 'its sessions by status, at this moment'),
    outcomes: countOf<SessionOutcome>(sessionOutcomes, 'those that have ended by outcome (docs/outcomes.md)'),
    done: flag('every row has been looked at, and every session has ended'),
    state: text('how far it is, in one sentence'),
    links: batchLinksSchema,
  },
  {
    base,
    defaults: batchDefaultsSchema,
    owner,
    priority: choice(
      priorities,
      'given to it later: rows that start from then on have it, whatever they say; absent: nobody has changed it',
    ),
  },
  'a batch and how far it is',
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
    command: text('as a shell would have it'),
    class: choice(['cpu', 'gpu', 'either'], 'nodes that the program runs on; either: on a GPU where there is one'),
    reasoning: text(),
    priority: choice(priorities, 'with which it would wait for a slot'),
    stop: text('why it would end without running anything, in a sentence'),
  },
  'what the session of a row would do first, with the programs that are installed now',
);
export type FirstStep = Described<typeof firstStepSchema>;

export const earlierSessionSchema = record(
  'EarlierSession',
  { session: sessionIdText, same: samenessSchema },
  {},
  'an earlier session of the same data in the same proposal; of several a duplicate, and of those the newest',
);
export type EarlierSession = Described<typeof earlierSessionSchema>;

/** The view of a row. */
export const batchRowSchema = record(
  'BatchRow',
  {
    row: ordinal('its number in the batch, from 1, in the order of arrival'),
    line: count('where it begins in the manifest that it came with, from 1'),
    state: choice(rowStates),
    run: count('how often it was run again'),
  },
  {
    session: sessionIdText,
    earlier: earlierSessionSchema,
    first: firstStepSchema,
    // For a row of a dry run, if the executors have reported their capacity.
    wait: expectedWaitSchema,
    problems: list(apiProblemSchema, 'what is wrong with it; of very many the first'),
    unused: list(fileUseSchema, 'files that would be used for nothing, and why; a row with `strict` is refused'),
  },
  'a row of a batch, and its outcome',
);
export type BatchRow = Described<typeof batchRowSchema>;

export const batchRowPageSchema = record(
  'BatchRowList',
  { rows: list(batchRowSchema) },
  { nextCursor: text('pass it as ?cursor= to continue; absent on the last page') },
);
export type BatchRowPage = Described<typeof batchRowPageSchema>;

export const batchResultSchema = record(
  'BatchResult',
  { row: ordinal(), state: choice(rowStates) },
  { session: sessionRowSchema, href: text('URL of the session'), problems: list(apiProblemSchema) },
  'a row of a batch, and what its session has brought so far; of a duplicate the earlier session',
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
    added: count('rows that are new'),
    known: count('rows that the batch has already: the same content'),
    unreadable: count('rows that were sent and cannot be read; their problems are among the rows'),
    rows: count('that the batch has now'),
  },
  {},
  'the outcome of rows that were sent',
);
export type RowsAdded = Described<typeof rowsAddedSchema>;

/** Which rows are run again; by default rejected ones, and those whose session failed. */
export const retriable = ['rejected', 'failed', 'unsatisfactory', 'cancelled', 'duplicate'] as const;
export type Retriable = (typeof retriable)[number];
export const retryRequestSchema = partial('RetryRequest', {
  of: list(choice(retriable), 'rows that are rejected, or whose session ended so', {
    minItems: 1,
    maxItems: retriable.length,
  }),
});
export type RetryRequest = Described<typeof retryRequestSchema>;

export const rowsRetriedSchema = record(
  'RowsRetried',
  { retried: count('rows that are run again') },
  {},
  'rows that are run again',
);
export type RowsRetried = Described<typeof rowsRetriedSchema>;

/** The priority of rows that are not sessions yet. */
export const batchPriorityRequestSchema = closed(
  record('BatchPriorityRequest', {
    priority: choice(priorities, 'of rows that are not sessions yet; sessions keep theirs'),
  }),
);
export type BatchPriorityRequest = Described<typeof batchPriorityRequestSchema>;

export const batchPrioritySchema = record(
  'BatchPriority',
  {
    priority: choice(priorities),
    rows: count('rows that are not sessions yet: they start with it'),
    sessions: count('rows that are sessions already: they keep the priority they started with'),
    message: text('the same in a sentence'),
  },
  {},
  'what another priority of a batch holds for',
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
