import type { AuditEntry, AuditPage } from '@fleet/contracts/audit';
import type { AuditFilter, AuditLog } from '@fleet/ports';

/**
 * Forwards entries on a best-effort basis: the log files are the truth. Never throws, and callers do not wait for it.
 */
export interface AuditForwarder {
  take(entry: AuditEntry): void;
  close(): Promise<void>;
}

/** An audit log that forwards its entries, including those that could not be written to its disk. */
export class ForwardedAuditLog implements AuditLog {
  constructor(
    private readonly log: AuditLog,
    private readonly forwarder: AuditForwarder,
  ) {}

  write(entry: AuditEntry, durable: boolean): Promise<void> {
    this.forwarder.take(entry);
    return this.log.write(entry, durable);
  }

  list(filter: AuditFilter, limit: number, cursor?: string): Promise<AuditPage> {
    return this.log.list(filter, limit, cursor);
  }

  all(filter: AuditFilter): AsyncIterable<readonly AuditEntry[]> {
    return this.log.all(filter);
  }

  async close(): Promise<void> {
    await this.log.close();
    await this.forwarder.close();
  }
}
