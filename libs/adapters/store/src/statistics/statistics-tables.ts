import type { ColumnType, Generated } from 'kysely';
import type { SessionOutcome } from '@fleet/contracts/sessions';
import type { SolutionPath } from '@fleet/contracts/statistics';

/** A row for each ended session, until it is reopened or deleted by request; retention keeps it. */
interface EndedSessionsTable {
  session: string;
  created_at: Date;
  proposal: string;
  beamline: string;
  submitter: string;
  outcome: SessionOutcome;
  /** Å. */
  resolution: number | null;
  path: SolutionPath | null;
  month: ColumnType<Date, never, never>;
  /** Seconds from the submission. */
  to_first_r_free: number | null;
  /** Seconds from the submission. */
  to_end: number;
  core_seconds: Generated<number>;
  gpu_seconds: Generated<number>;
}

export interface StatisticsTables {
  ended_sessions: EndedSessionsTable;
}
