import {
  systemClock,
  type BatchRecords,
  type Clock,
  type OwedFiles,
  type ProgramCatalogues,
  type SessionEvents,
  type SessionIndex,
  type SessionRecords,
  type StepSchedule,
} from '@fleet/ports';
import { MemoryBatchRecords } from './memory-batch-records';
import { MemoryOwedFiles } from './memory-owed-files';
import { MemoryProgramCatalogues } from './memory-program-catalogues';
import { MemorySessionEvents } from './memory-session-events';
import { MemorySessionIndex } from './memory-session-index';
import { MemorySessionRecords } from './memory-session-records';
import { MemoryState } from './memory-state';
import { MemoryStepSchedule } from './memory-step-schedule';

/** In-memory `PostgresStore` for the crash points: same rules (it passes the same contract), without persistence. */
export class MemoryStore {
  readonly records: SessionRecords;
  readonly schedule: StepSchedule;
  readonly owedFiles: OwedFiles;
  readonly events: SessionEvents;
  readonly index: SessionIndex;
  readonly catalogues: ProgramCatalogues = new MemoryProgramCatalogues();
  readonly batches: BatchRecords;

  constructor(clock: Clock = systemClock) {
    const state = new MemoryState();
    this.records = new MemorySessionRecords(state, clock);
    this.schedule = new MemoryStepSchedule(state, clock);
    this.owedFiles = new MemoryOwedFiles(state, clock);
    this.events = new MemorySessionEvents(state);
    this.batches = new MemoryBatchRecords(state, clock);
    this.index = new MemorySessionIndex(state);
  }
}
