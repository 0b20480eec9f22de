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
export const retentionHolds = ['running', 'pinned', 'batch', 'in_use'] as const;
export type RetentionHold = (typeof retentionHolds)[number];

const pinSchema = record({ at: time(), by: text('empty: nobody was named'), reason: text() }, {}, 'keeps a session');
export type Pin = Described<typeof pinSchema>;

const folderPurgeSchema = record(
  { at: time(), rule: text('by which rule, in words'), bytes: count('that were freed') },
  {},
  'the folder of the session was deleted, with all files',
);
export type FolderPurge = Described<typeof folderPurgeSchema>;

export const sessionRetentionSchema = record(
  'SessionRetention',
  {},
  {
    rule: text('the rule that matches, in words; absent: none does, so that the session is kept'),
    folderUntil: time('the files are kept at least until then; absent: no end is set'),
    recordUntil: time('the session itself is kept at least until then; absent: no end is set'),
    hold: choice(retentionHolds, 'why it is kept in spite of the rule; absent: nothing holds it'),
    usedBy: list(sessionIdText, 'sessions that have files of this one as inputs, at most 20'),
    pin: pinSchema,
    purged: folderPurgeSchema,
  },
  'how long a session is kept',
);
export type SessionRetention = Described<typeof sessionRetentionSchema>;

const reason = oneLine('why, in one sentence', 500);
const by = oneLine('who says so, where the gateway has no keys', 200);

export const pinRequestSchema = closed(
  record('PinRequest', { reason: { ...reason, minLength: 1 } }, { by }, 'why a session is to be kept'),
);

/** Maximum number of sessions that one request purges or lists. */
export const mostPurged = 100;

export const purgeRequestSchema = partial('PurgeRequest', {
  dryRun: flag('true: nothing is deleted'),
  after: text('`nextCursor` of an earlier response', { maxLength: 200 }),
});
export type PurgeRequest = Described<typeof purgeRequestSchema>;

export const purgeReportSchema = record(
  'PurgeReport',
  {
    rules: list(
      record({
        rule: text('in words'),
        folders: count('folders of sessions'),
        bytes: count('bytes that their files had for themselves'),
        records: count('sessions of which nothing stays'),
      }),
    ),
    held: count('sessions that are due and are kept: pinned, in use, or of a batch that still runs'),
    failed: list(
      record({ id: sessionIdText, reason: text() }),
      'could not be deleted; a gateway tries again the next day',
    ),
  },
  { nextCursor: text('more may be due: pass it as `after`') },
  'what was deleted, or would be',
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
      after: text('`nextCursor` of an earlier response', { maxLength: 200 }),
    },
  ),
);
export type DeletionRequest = Described<typeof deletionRequestSchema>;

export const deletionReportSchema = record(
  'DeletionReport',
  {
    sessions: count('sessions with their folders'),
    bytes: count('bytes that their files had for themselves'),
    batches: count(),
    uploads: integer('uploaded files, and uploads under way', { minimum: 0 }),
    refused: list(
      record({ id: text('of a session or a batch; of uploads the name of whose they are'), reason: text() }),
      'what stays: it runs, or could not be deleted',
    ),
  },
  { nextCursor: text('more follow: pass it as `after`') },
  'what was deleted, or would be',
);
export type DeletionReport = Described<typeof deletionReportSchema>;
