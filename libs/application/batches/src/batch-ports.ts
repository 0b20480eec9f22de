import type { BatchRecords, SessionIndex } from '@fleet/ports';
import type { CancelSession, FirstSteps, SessionPorts, SubmitSession } from '@fleet/sessions';

/** Dependencies of the commands of batches. */
export interface BatchPorts {
  readonly batches: BatchRecords;
  readonly index: SessionIndex;
  /** Rows are submissions: the same rules hold. */
  readonly sessions: Pick<SessionPorts, 'clock' | 'readableBy' | 'tracing' | 'knowledge' | 'members' | 'shares'>;
  readonly submitting: Pick<SubmitSession, 'check' | 'ready'>;
  readonly cancelling: Pick<CancelSession, 'ofBatch'>;
  readonly firstSteps: FirstSteps;
  /** Charges added rows to the principal's submission limit. */
  readonly limiter: { chargeSubmissions(principalId: string, rows: number): Promise<void> };
  /** For operators: logs rows with an internal error. */
  readonly log: { error(entry: Readonly<Record<string, unknown>>): void };
}
