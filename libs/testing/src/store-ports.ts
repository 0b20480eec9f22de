import type {
  BatchRecords,
  ProgramCatalogues,
  SessionEvents,
  SessionFeed,
  SessionIndex,
  SessionRecords,
  StepSchedule,
} from '@fleet/ports';
import type { ManualClock } from './manual-clock';

/** The ports of one store: what one writes, the others read. */
export interface StorePorts {
  readonly records: SessionRecords;
  readonly schedule: StepSchedule;
  readonly events: SessionEvents;
  readonly feed: SessionFeed;
  readonly index: SessionIndex;
  readonly catalogues: ProgramCatalogues;
  readonly batches: BatchRecords;
}

/** What the contract of one port is given. */
export type PortContract = (store: () => StorePorts, clock: ManualClock) => void;
