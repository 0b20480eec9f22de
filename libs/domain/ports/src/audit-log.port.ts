import type { AuditEntry, AuditPage } from '@fleet/contracts/audit';

export const AUDIT_LOG = Symbol('AuditLog');

/** Which entries; those members that are given have to fit. */
export interface AuditFilter {
  readonly who?: string;
  readonly action?: string;
  /** What it was done to, or the beginning of its id. */
  readonly object?: string;
  /** Milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
}

/** Who did what. Entries are added, and never changed or removed; one that is written again under its id says more than before. */
export interface AuditLog {
  /**
   * @param durable whether the disk has it when this returns; otherwise a death of the process does not lose it, a power cut may
   * @throws Fault `storage.unwritable` (transient); the log itself then says how many entries are missing, once it can be written again
   */
  write(entry: AuditEntry, durable: boolean): Promise<void>;
  /** The newest first, with what is wrong with the files that were read. */
  list(filter: AuditFilter, limit: number, cursor?: string): Promise<AuditPage>;
  /** All, the oldest first, in parts. */
  all(filter: AuditFilter): AsyncIterable<readonly AuditEntry[]>;
  /** Nothing is written afterwards. */
  close(): Promise<void>;
}
