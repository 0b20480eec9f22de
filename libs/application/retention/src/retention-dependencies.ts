import type { AuditEntry } from '@fleet/contracts/audit';
import type { RetentionRule } from '@fleet/contracts/retention';
import type { AuditLog, Clock, SessionFolderPort, SessionRetentionRecords } from '@fleet/ports';

/** Dependencies of deletions. */
export interface RetentionDependencies {
  readonly records: SessionRetentionRecords;
  readonly folders: Pick<SessionFolderPort, 'bytesOf' | 'remove'>;
  readonly rules: readonly RetentionRule[];
  readonly audit: Pick<AuditLog, 'write'>;
  readonly clock: Clock;
  /** The actor, for the audit log. */
  readonly by: Pick<AuditEntry, 'who' | 'role' | 'request' | 'from'>;
}
