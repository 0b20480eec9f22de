import { flag, list, mapOf, record, text, partial, choice, type Described } from '../schema/schema';
import { count } from '../schema/schema-fields';
import { sessionIdText, sessionStatuses } from '../sessions/session';

const about = { id: text(), status: choice(sessionStatuses), cycle: count() } as const;

export const recoveredSchema = record({
  ...about,
  trusted: flag("true: nothing but somebody's word shows that the file is what this installation wrote"),
  missingFiles: list(text(), 'files that the record names and that are not there, at most 20'),
});
export type Recovered = Described<typeof recoveredSchema>;

export const untrustedSchema = record(
  {
    ...about,
    folder: text(),
    title: text(),
    reason: text('why it is not authenticated, in one sentence'),
    digest: text('to be sent back by whoever trusts this very content'),
  },
  {},
  'left out, because nothing shows that this installation wrote the file; otherwise it could be used',
);
export type Untrusted = Described<typeof untrustedSchema>;

export const recoveryReportSchema = record('Recovery', {
  recovered: list(recoveredSchema, 'written into the store; those that have not ended continue by themselves'),
  existing: list(text(), 'ids that the store has already: left alone, for the store is newer than the file'),
  untrusted: list(untrustedSchema),
  skipped: list(
    record({ folder: text(), code: text(), reason: text() }),
    "folders whose file cannot be used, and why; `code` tells a newer release's file (`session_file.newer`) from a damaged one",
  ),
  notListed: count('folders that were left out beyond those that are listed'),
});
export type RecoveryReport = Described<typeof recoveryReportSchema>;

/** The request for a recovery. */
export const recoveryRequestSchema = partial('RecoveryRequest', {
  trust: mapOf(
    text(undefined, { pattern: '^[0-9a-f]{32}$', 'x-allowed': 'a digest of an earlier answer' }),
    'session id to digest, as in an earlier response: files to accept although they cannot be authenticated',
    { propertyNames: sessionIdText, maxProperties: 10_000 },
  ),
  by: text('who vouches for them; recorded in the events of the sessions', {
    maxLength: 200,
    // No line breaks, no control characters.
    pattern: '^(?=.*\\S)[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+$',
    'x-allowed': 'who trusts these files: one line of text, at most 200 characters',
  }),
});
export type RecoveryRequest = Described<typeof recoveryRequestSchema>;
