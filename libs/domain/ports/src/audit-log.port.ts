import type { AuditEntry, AuditPage } from '@fleet/contracts/audit';

export const AUDIT_LOG = Symbol('AuditLog');

/** Filter of entries; all given members must match. */
export interface AuditFilter {
  readonly who?: string;
  readonly action?: string;
  /** The object of the action, or the beginning of its id. */
  readonly object?: string;
  /** Milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
}

/** The audit log. Entries are added, and never changed or removed. A later entry with the same id adds information. */
export interface AuditLog {
  /**
   * @param durable whether the entry is on disk on return; otherwise it survives the death of the process, but maybe not a power cut
   * @throws Fault `storage.unwritable` (transient); the log itself records how many entries are missing once it can be written again
   */
  write(entry: AuditEntry, durable: boolean): Promise<void>;
  /** The newest first, with problems of the files that were read. */
  list(filter: AuditFilter, limit: number, cursor?: string): Promise<AuditPage>;
  /** All entries, the oldest first, in pages. */
  all(filter: AuditFilter): AsyncIterable<readonly AuditEntry[]>;
  /** No entry is written afterwards. */
  close(): Promise<void>;
}
