import { flag, list, mapOf, record, text, partial, choice, type Described } from '../schema/schema';
import { count } from '../schema/schema-fields';
import { sessionIdText, sessionStatuses } from '../sessions/session';

const about = { id: text(), status: choice(sessionStatuses), cycle: count() } as const;

const recoveredSchema = record({
  ...about,
  trusted: flag('true: accepted on trust, without a valid signature'),
  missingFiles: list(text(), 'missing files of the record, at most 20'),
});
export type Recovered = Described<typeof recoveredSchema>;

const untrustedSchema = record(
  {
    ...about,
    folder: text(),
    title: text(),
    reason: text('why the signature is not valid, in one sentence'),
    digest: text('digest to send back in `trust` to accept this content'),
  },
  {},
  'skipped because the file has no valid signature of this installation; otherwise usable',
);
export type Untrusted = Described<typeof untrustedSchema>;

export const recoveryReportSchema = record('Recovery', {
  recovered: list(recoveredSchema, 'sessions written to the database; unfinished ones continue by themselves'),
  existing: list(text(), 'ids that are already in the database: unchanged, because the database is newer'),
  untrusted: list(untrustedSchema),
  skipped: list(
    record({ folder: text(), code: text(), reason: text() }),
    'folders with an unusable file, and the reason; `code` distinguishes a file of a newer release (`session_file.newer`) from a damaged one',
  ),
  notListed: count('number of skipped folders that are not listed'),
});
export type RecoveryReport = Described<typeof recoveryReportSchema>;

/** The request for a recovery. */
export const recoveryRequestSchema = partial('RecoveryRequest', {
  trust: mapOf(
    text(undefined, { pattern: '^[0-9a-f]{32}$', 'x-allowed': 'a digest of an earlier answer' }),
    'session id to digest, as in an earlier response: files to accept without a valid signature',
    { propertyNames: sessionIdText, maxProperties: 10_000 },
  ),
  by: text('who trusts them; recorded in the events of the sessions', {
    maxLength: 200,
    // No line breaks, no control characters.
    pattern: '^(?=.*\\S)[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+$',
    'x-allowed': 'who trusts these files: one line of text, at most 200 characters',
  }),
});
