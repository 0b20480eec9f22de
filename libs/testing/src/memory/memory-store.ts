import {
  systemClock,
  type BatchRecords,
  type Clock,
  type ProgramCatalogues,
  type SessionEvents,
  type SessionFeed,
  type SessionIndex,
  type SessionRecords,
  type StepSchedule,
} from '@fleet/ports';
import { MemoryBatchRecords } from './memory-batch-records';
import { MemoryProgramCatalogues } from './memory-program-catalogues';
import { MemorySessionEvents } from './memory-session-events';
import { MemorySessionFeed } from './memory-session-feed';
import { MemorySessionIndex } from './memory-session-index';
import { MemorySessionRecords } from './memory-session-records';
import { MemoryState } from './memory-state';
import { MemoryStepSchedule } from './memory-step-schedule';

/** The twin of `PostgresStore` for tests of other parts: same rules (it passes the same contract), no database, gone with the process. */
export class MemoryStore {
  readonly records: SessionRecords;
  readonly schedule: StepSchedule;
  readonly events: SessionEvents;
  readonly feed: SessionFeed;
  readonly index: SessionIndex;
  readonly catalogues: ProgramCatalogues = new MemoryProgramCatalogues();
  readonly batches: BatchRecords;

  constructor(clock: Clock = systemClock) {
    const state = new MemoryState();
    this.records = new MemorySessionRecords(state, clock);
    this.schedule = new MemoryStepSchedule(state, clock);
    this.events = new MemorySessionEvents(state);
    this.feed = new MemorySessionFeed(state);
    this.batches = new MemoryBatchRecords(state, clock);
    this.index = new MemorySessionIndex(state);
  }
}
