import type { Generated } from 'kysely';
import type { Guidance } from '@fleet/contracts/guidance';
import type {
  CycleRecord,
  ExperimentType,
  RowProgress,
  SessionEvent,
  SessionOutcome,
  SessionRequest,
  SessionStatus,
  SessionStop,
  Stage,
  UnitCell,
} from '@fleet/contracts/sessions';
import type { Json } from '../json-column';
import type { CycleColumns } from '../statistics/cycle-columns';

export interface SessionsTable {
  id: string;
  version: number;
  wake_ups: number;
  status: SessionStatus;
  stage: Stage;
  cycle: number;
  attempt: number;
  outcome: SessionOutcome | null;
  title: string;
  proposal: string;
  beamline: string;
  submitter: string;
  batch: string | null;
  created_at: Date;
  updated_at: Date;
  ended_at: Date | null;
  failed_version: number | null;
  failed_wake_ups: number | null;
  failed_in_a_row: number | null;
  superseded: Generated<boolean>;
  content: readonly string[];
  folder: string;
  request: Json<SessionRequest>;
  guidance: Json<Guidance> | null;
  stop: Json<SessionStop> | null;
  progress: Json<RowProgress>;
  sample: string | null;
  ligands: Generated<readonly string[]>;
  space_group: string | null;
  reduced_cell: UnitCell | null;
  resolution: number | null;
  r_free: number | null;
  map_cc: number | null;
  programs: Generated<readonly string[]>;
  failure: string | null;
  searched: Generated<string>;
  experiment: ExperimentType | null;
  uses: Generated<readonly string[]>;
  pinned_at: Date | null;
  pinned_by: string | null;
  pin_reason: string | null;
  expiry_told_at: Date | null;
  purge_claimed_at: Date | null;
  purge_rule: string | null;
  purges_record: Generated<boolean>;
  folder_purged_at: Date | null;
  purged_bytes: string | number | null;
}

interface MovesTable {
  number: Generated<string>;
  transaction: Generated<string>;
  session: string;
  was: SessionStatus | null;
  line: string | null;
  events: Json<readonly SessionEvent[]>;
  told: boolean;
}

/** Pending work of a running session. */
interface OwedTable {
  session: string;
  version: number;
  wake_at: Date | null;
  due_at: Date;
}

/** A session whose folder is behind its record. */
interface OwedFilesTable {
  session: string;
  transaction: Generated<string>;
  due_at: Date;
}

/** Sessions, their cycles and moves, and their pending work. */
export interface SessionTables {
  sessions: SessionsTable;
  cycles: { session: string; cycle: number; record: Json<CycleRecord> } & CycleColumns;
  moves: MovesTable;
  deleted_sessions: { id: string; deleted_at: Date };
  owed: OwedTable;
  owed_files: OwedFilesTable;
}
