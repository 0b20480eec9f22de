import type { Clock, BatchRecords, SessionIndex } from '@fleet/ports';
import type { SubmissionRules } from '../submission/submit-session';

export const BATCH_RULES = Symbol('BatchRules');

/** What batches are made and worked on with. */
export interface BatchRules {
  readonly batches: BatchRecords;
  readonly index: SessionIndex;
  readonly clock: Clock;
  /** Rows are submissions: the same rules hold. */
  readonly submission: SubmissionRules;
}
