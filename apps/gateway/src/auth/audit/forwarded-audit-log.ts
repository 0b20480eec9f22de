import type { AuditEntry, AuditPage } from '@fleet/contracts/audit';
import type { AuditFilter, AuditLog } from '@fleet/ports';

/** Sends entries on, as far as it can: the files of the log are the truth. Never throws, and nobody waits for it. */
export interface AuditForwarder {
  take(entry: AuditEntry): void;
  close(): Promise<void>;
}

/** An audit log whose entries are sent on, also those that its disk does not take. */
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
