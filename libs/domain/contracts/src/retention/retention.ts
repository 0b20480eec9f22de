import {
  choice,
  closed,
  flag,
  integer,
  list,
  record,
  text,
  partial,
  type Described,
  type Schema,
} from '../schema/schema';
import { count, folderName, folderNameAllowed, oneLine, time } from '../schema/schema-fields';
import { sessionIdText, sessionOutcomes } from '../sessions/session';
import { priorities } from '../launches/shares';

const period = (what: string): Schema<string> =>
  text(what, {
    pattern: '^(?:never|[1-9][0-9]{0,4}d|[1-9][0-9]{0,2}y)$',
    'x-allowed': 'days such as 30d, years of 365 days such as 5y, or never',
  });

/** How long sessions of one outcome and priority are stored, from their end on. */
const retentionRuleSchema = closed(
  record(
    {
      folder: period('after this time the folder of the session is deleted, with all files'),
      record: period('after this time the session itself is deleted; not before its folder'),
    },
    {
      outcome: choice(sessionOutcomes, 'absent: every outcome'),
      priority: choice(priorities, 'absent: every priority'),
    },
  ),
);
export type RetentionRule = Described<typeof retentionRuleSchema>;

/** The first rule that matches a session applies. A session without a matching rule is never deleted. */
export const retentionRulesSchema = list(retentionRuleSchema, undefined, { maxItems: 100 });

/**
 * Why a session is not deleted, whatever its rule:
 * - `running`: it has not ended;
 * - `pinned`: a user has pinned it;
 * - `batch`: its batch still has rows to start, or running sessions;
 * - `in_use`: its files are inputs of another session that still has its own.
 */
const retentionHolds = ['running', 'pinned', 'batch', 'in_use'] as const;
export type RetentionHold = (typeof retentionHolds)[number];

const pinSchema = record({ at: time(), by: text('empty: not named'), reason: text() }, {}, 'pin of a session');
export type Pin = Described<typeof pinSchema>;

const folderPurgeSchema = record(
  { at: time(), rule: text('retention rule in words'), bytes: count('bytes freed') },
  {},
  'record of the deleted session folder',
);
export type FolderPurge = Described<typeof folderPurgeSchema>;

export const sessionRetentionSchema = record(
  'SessionRetention',
  {},
  {
    rule: text('matching retention rule in words; absent: none, the session is kept'),
    folderUntil: time('earliest deletion of the files; absent: no limit'),
    recordUntil: time('earliest deletion of the session; absent: no limit'),
    hold: choice(retentionHolds, 'why it is kept despite the rule; absent: no reason'),
    usedBy: list(sessionIdText, 'sessions that use its files as inputs, at most 20'),
    pin: pinSchema,
    purged: folderPurgeSchema,
  },
  'retention of a session',
);
export type SessionRetention = Described<typeof sessionRetentionSchema>;

const reason = oneLine('why, in one sentence', 500);
const by = oneLine('name of the caller, if access control is off', 200);

export const pinRequestSchema = closed(
  record('PinRequest', { reason: { ...reason, minLength: 1 } }, { by }, 'reason to keep a session'),
);

/** Maximum number of sessions that one request purges or lists. */
export const mostPurged = 100;

export const purgeRequestSchema = partial('PurgeRequest', {
  dryRun: flag('true: nothing is deleted'),
  after: text('`nextCursor` of the previous response', { maxLength: 200 }),
});
export type PurgeRequest = Described<typeof purgeRequestSchema>;

export const purgeReportSchema = record(
  'PurgeReport',
  {
    rules: list(
      record({
        rule: text('in words'),
        folders: count('number of session folders'),
        bytes: count('bytes freed'),
        records: count('number of sessions that were removed completely'),
      }),
    ),
    held: count('expired sessions that were kept: pinned, in use, or in a running batch'),
    failed: list(
      record({ id: sessionIdText, reason: text() }),
      'failed deletions; a gateway retries them the next day',
    ),
  },
  { nextCursor: text('pass it as `after` to continue; absent on the last page') },
  'what was deleted; with `dryRun`, what would be deleted',
);
export type PurgeReport = Described<typeof purgeReportSchema>;

export const deletionRequestSchema = closed(
  record(
    'DeletionRequest',
    { reason: { ...reason, minLength: 1 } },
    {
      proposal: text('all sessions, batches and uploads of this proposal', {
        pattern: `^${folderName}$`,
        maxLength: 64,
        'x-allowed': folderNameAllowed,
      }),
      submitter: text('all sessions, batches and open uploads of this person', { minLength: 1, maxLength: 200 }),
      dryRun: flag('true: nothing is deleted'),
      by,
      after: text('`nextCursor` of the previous response', { maxLength: 200 }),
    },
  ),
);
export type DeletionRequest = Described<typeof deletionRequestSchema>;

export const deletionReportSchema = record(
  'DeletionReport',
  {
    sessions: count('number of sessions, with their folders'),
    bytes: count('bytes freed'),
    batches: count(),
    uploads: integer('number of uploaded files and uploads in progress', { minimum: 0 }),
    refused: list(
      record({ id: text('id of a session or batch; for uploads the name of the owner'), reason: text() }),
      'what was not deleted: it runs, or the deletion failed',
    ),
  },
  { nextCursor: text('pass it as `after` to continue; absent on the last page') },
  'what was deleted; with `dryRun`, what would be deleted',
);
export type DeletionReport = Described<typeof deletionReportSchema>;
