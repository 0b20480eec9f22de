import { randomBytes } from 'node:crypto';
import type { AuditEntry } from '@fleet/contracts/audit';
import { isoTime, type BegunPurge } from '@fleet/ports';
import type { RetentionDependencies } from './retention-dependencies';

const entryOf = ({ clock, by }: RetentionDependencies, { session, rule, record }: BegunPurge): AuditEntry => ({
  ...by,
  id: randomBytes(8).toString('hex'),
  at: isoTime(clock),
  action: 'purge',
  endpoint: '',
  object: `session ${session.id}`,
  outcome: 'unknown',
  before: { proposal: session.request.proposal, folder: session.folder, record, rule },
});

/**
 * Completes a begun deletion: the folder, then the record. May be repeated, and run concurrently. The audit log is written first.
 * @returns bytes that were freed now
 * @throws Fault `storage.unwritable` (transient) if the audit log or the folder cannot be written, `file.outside_root`: then a retry is due
 */
export const finishPurge = async (deps: RetentionDependencies, purge: BegunPurge): Promise<number> => {
  const { records, folders, audit } = deps;
  const { session, record } = purge;
  const entry = entryOf(deps, purge);
  await audit.write(entry, true);
  const bytes = await folders.remove(session);
  await (record ? records.remove(session.id) : records.folderPurged(session.id, bytes));
  await audit.write({ ...entry, outcome: 'done', after: { bytes } }, true);
  return bytes;
};
