import type {
  BatchRecords,
  OwedFiles,
  ProgramCatalogues,
  SessionEvents,
  SessionIndex,
  SessionRecords,
  StepSchedule,
} from '@fleet/ports';
import type { ManualClock } from './manual-clock';

/** The ports of both PostgreSQL and the in-memory store of the crash points. */
export interface StorePorts {
  readonly records: SessionRecords;
  readonly schedule: StepSchedule;
  readonly owedFiles: OwedFiles;
  readonly events: SessionEvents;
  readonly index: SessionIndex;
  readonly catalogues: ProgramCatalogues;
  readonly batches: BatchRecords;
}

/** The arguments of a port's contract. */
export type PortContract = (store: () => StorePorts, clock: ManualClock) => void;
