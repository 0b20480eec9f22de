import type { AuditEntry, AuditPage } from '@fleet/contracts/audit';
import type { AuditFilter, AuditLog } from '@fleet/ports';

/** An audit log that needs no disk, for tests of everything else. */
export class PlainAuditLog implements AuditLog {
  private readonly entries = new Map<string, AuditEntry>();

  write(entry: AuditEntry): Promise<void> {
    this.entries.set(entry.id, entry);
    return Promise.resolve();
  }

  list(filter: AuditFilter, limit: number): Promise<AuditPage> {
    return Promise.resolve({ entries: this.found(filter).reverse().slice(0, limit), damages: [] });
  }

  // oxlint-disable-next-line typescript/require-await -- a generator that awaits nothing
  async *all(filter: AuditFilter): AsyncGenerator<readonly AuditEntry[]> {
    yield this.found(filter);
  }

  /** Begins with an empty log. */
  forget(): void {
    this.entries.clear();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private found({ who, action, object }: AuditFilter): AuditEntry[] {
    const wanted = { who, action, object };
    return [...this.entries.values()].filter((entry) =>
      (['who', 'action', 'object'] as const).every((name) => [undefined, entry[name]].includes(wanted[name])),
    );
  }
}
