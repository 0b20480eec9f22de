import type { FirstStep, Principal, Session } from '@fleet/contracts';
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
  /** Told of rows that somebody has added, because they are submissions of theirs. */
  readonly rowsAdded: (by: Principal, rows: number) => Promise<void>;
  /** What a session would do first; undefined where nobody can say: no executor has told its programs yet. */
  readonly firstStep: (session: Session) => Promise<FirstStep | undefined>;
}
