import type { AuditEntry } from '@fleet/contracts/audit';
import { LogOutput } from '@fleet/observability';
import type { AuditForwarder } from './forwarded-audit-log';

/**
 * JSON lines on standard output, between those of the log: `{"audit": {…}}`. A slow reader loses lines and blocks no
 * caller.
 */
export class StdoutForwarder implements AuditForwarder {
  private readonly output: LogOutput;

  /**
   * @param onLost called with the number of lost entries
   * @param write like writeSync of Node; for tests
   */
  constructor(onLost: (count: number) => void, write?: (bytes: Buffer) => number) {
    this.output = new LogOutput(1, {
      notice: ({ count, since }) => JSON.stringify({ auditNotForwarded: count, since }),
      onLost: () => onLost(1),
      ...(write && { write }),
    });
  }

  take(entry: AuditEntry): void {
    this.output.line(JSON.stringify({ audit: entry }));
  }

  close(): Promise<void> {
    this.output.finish();
    return Promise.resolve();
  }
}
