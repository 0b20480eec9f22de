import type { ColumnType, Generated } from 'kysely';
import type {
  Batch,
  BatchStatus,
  CycleRecord,
  Guidance,
  MaintenanceWindow,
  Priority,
  ProgramCatalogue,
  RowProgress,
  RowVerdict,
  SessionEvent,
  SessionOutcome,
  SessionRequest,
  SessionStatus,
  SessionStop,
  Stage,
} from '@fleet/contracts';
import type { Nodes, SharedRun, SiteLimits } from '@fleet/fair-shares';
import type { Orphan, RowOutcome } from '@fleet/ports';

/** Read as a value, written as its text. */
type Json<T> = ColumnType<T, string, string>;

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
  wake_at: Date | null;
  due_at: Date | null;
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

interface BatchesTable {
  id: string;
  proposal: string;
  status: BatchStatus;
  only_checked: boolean;
  complete: Generated<boolean>;
  starts: boolean;
  priority: Priority | null;
  rows: Generated<number>;
  archived: Generated<number>;
  turn: ColumnType<string, never, string>;
  created_at: Date;
  changed_at: Date;
  batch: Json<Batch>;
}

interface BatchRowsTable {
  batch: string;
  row: number;
  run: number;
  digest: string;
  line: number;
  verdict: RowVerdict;
  session: string | null;
  outcome: Json<Omit<RowOutcome, 'verdict'>>;
  content: string | null;
  due_at: Date | null;
}

interface RunsTable {
  name: string;
  nodes: Nodes;
  run: Json<SharedRun>;
  keys: readonly string[] | null;
  held_from: Date | null;
  waits_since: Date | null;
  arrival: string | null;
  in_line: boolean;
  stuck: boolean;
}

/** The schema, as the migrations make it. */
export interface Tables {
  sessions: SessionsTable;
  cycles: { session: string; cycle: number; record: Json<CycleRecord> };
  moves: MovesTable;
  program_catalogues: { backend: string; catalogue: Json<ProgramCatalogue> };
  batches: BatchesTable;
  batch_rows: BatchRowsTable;
  runs: RunsTable;
  starts_of_days: { day: string; key: string; count: number };
  turns: { proposal: string; turn: number };
  launch_line: {
    singleton: Generated<boolean>;
    revision: string;
    turn: number;
    arrived: string;
    counted_at: Date | null;
    site: Json<SiteLimits> | null;
    no_room: readonly Nodes[];
    typical_ms: Json<Readonly<Partial<Record<Nodes, number>>>>;
  };
  said: { name: string; value: Json<unknown> };
  maintenance_windows: { id: string; maintenance: Json<MaintenanceWindow> };
  orphans: {
    name: string;
    orphan: Json<Orphan>;
    first_seen_at: Date;
    last_strike_at: Date;
    strikes: number;
    removing: boolean;
  };
  content_holds: { digest: string; session: string; until: Date };
}
