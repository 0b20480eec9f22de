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

/** The ports that both PostgreSQL and the twin of the crash points have. */
export interface StorePorts {
  readonly records: SessionRecords;
  readonly schedule: StepSchedule;
  readonly owedFiles: OwedFiles;
  readonly events: SessionEvents;
  readonly index: SessionIndex;
  readonly catalogues: ProgramCatalogues;
  readonly batches: BatchRecords;
}

/** What the contract of one port is given. */
export type PortContract = (store: () => StorePorts, clock: ManualClock) => void;
