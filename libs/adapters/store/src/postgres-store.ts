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
import type { Database } from './database';
import { MoveNews } from './move-news';
import { PostgresBatchRecords } from './postgres-batch-records';
import { PostgresProgramCatalogues } from './postgres-program-catalogues';
import { PostgresSessionEvents } from './postgres-session-events';
import { PostgresSessionFeed } from './postgres-session-feed';
import { PostgresSessionIndex } from './postgres-session-index';
import { PostgresSessionRecords } from './postgres-session-records';
import { PostgresStepSchedule } from './postgres-step-schedule';

/** The ports of one store in PostgreSQL 15 or newer, on a schema that `migrate` has made. */
export class PostgresStore {
  readonly records: SessionRecords;
  readonly schedule: StepSchedule;
  readonly events: SessionEvents;
  readonly feed: SessionFeed;
  readonly index: SessionIndex;
  readonly catalogues: ProgramCatalogues;
  readonly batches: BatchRecords;

  constructor(db: Database, clock: Clock = systemClock) {
    const context = { db, clock };
    const news = new MoveNews();
    this.records = new PostgresSessionRecords(context, news);
    this.schedule = new PostgresStepSchedule(context);
    this.events = new PostgresSessionEvents(context, news);
    this.feed = new PostgresSessionFeed(context, news);
    this.index = new PostgresSessionIndex(context);
    this.catalogues = new PostgresProgramCatalogues(context);
    this.batches = new PostgresBatchRecords(context);
  }
}
