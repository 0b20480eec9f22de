import type { Generated } from 'kysely';
import type { MaintenanceWindow } from '@fleet/contracts/maintenance';
import type { ProgramCatalogue } from '@fleet/contracts/service';
import type { Nodes, SharedRun, SiteLimits } from '@fleet/fair-shares';
import type { Orphan } from '@fleet/ports';
import type { Json } from '../json-column';

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

/** Runs, the queue for slots, and the programs of backends. */
export interface RunTables {
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
  program_catalogues: { backend: string; catalogue: Json<ProgramCatalogue> };
}
