import type { BatchRecords, SessionIndex } from '@fleet/ports';
import type { CancelSession, FirstSteps, SessionPorts, SubmitSession } from '@fleet/sessions';

/** What the commands of batches work with. */
export interface BatchPorts {
  readonly batches: BatchRecords;
  readonly index: SessionIndex;
  /** Rows are submissions: the same rules hold. */
  readonly sessions: Pick<SessionPorts, 'clock' | 'readableBy' | 'tracing' | 'knowledge' | 'members' | 'shares'>;
  readonly submitting: Pick<SubmitSession, 'check' | 'ready'>;
  readonly cancelling: Pick<CancelSession, 'ofBatch'>;
  readonly firstSteps: FirstSteps;
  /** Hears of rows that a principal has added, because they are submissions of theirs. */
  readonly limiter: { chargeSubmissions(principalId: string, rows: number): Promise<void> };
  /** For whoever runs the service: hears of rows at which the service failed. */
  readonly log: { error(entry: Readonly<Record<string, unknown>>): void };
}
