import {
  systemClock,
  type AccessKeys,
  type BatchRecords,
  type Clock,
  type Deliveries,
  type KeyUses,
  type LaunchControl,
  type ModelLedger,
  type TextRequests,
  type OrphanRegister,
  type OwedFiles,
  type ProgramCatalogues,
  type RunSlots,
  type SessionEvents,
  type SessionFeed,
  type SessionIndex,
  type SessionRecords,
  type SessionRetentionRecords,
  type SessionStatistics,
  type SharesControl,
  type StepSchedule,
  type UploadStore,
  type Webhooks,
} from '@fleet/ports';
import { PostgresAccessKeys } from './access/postgres-access-keys';
import type { Database } from './database';
import { PostgresModelLedger } from './models/postgres-model-ledger';
import { PostgresTextRequests } from './models/postgres-text-requests';
import { PostgresLaunchControl, PostgresSharesControl } from './runs/postgres-launch-control';
import { PostgresOrphanRegister } from './runs/postgres-orphan-register';
import { PostgresRunSlots } from './runs/postgres-run-slots';
import { MoveNotifier } from './sessions/move-notifier';
import { PostgresBatchRecords } from './batches/postgres-batch-records';
import { PostgresProgramCatalogues } from './runs/postgres-program-catalogues';
import { PostgresOwedFiles } from './sessions/postgres-owed-files';
import { PostgresSessionEvents } from './sessions/postgres-session-events';
import { PostgresSessionFeed } from './sessions/postgres-session-feed';
import { PostgresSessionIndex } from './sessions/postgres-session-index';
import { PostgresSessionRecords } from './sessions/postgres-session-records';
import { PostgresSessionRetention } from './sessions/postgres-session-retention';
import { PostgresStepSchedule } from './sessions/postgres-step-schedule';
import { PostgresStatistics } from './statistics/postgres-statistics';
import { PostgresUploadStore } from './uploads/postgres-upload-store';
import { PostgresDeliveries } from './webhooks/postgres-deliveries';
import { PostgresWebhooks } from './webhooks/postgres-webhooks';

/** The ports of one store in PostgreSQL 15 or newer, on a schema created by `migrate`. */
export class PostgresStore {
  readonly records: SessionRecords;
  readonly schedule: StepSchedule;
  readonly owedFiles: OwedFiles;
  readonly events: SessionEvents;
  readonly feed: SessionFeed;
  readonly index: SessionIndex;
  readonly retention: SessionRetentionRecords;
  readonly statistics: SessionStatistics;
  readonly catalogues: ProgramCatalogues;
  readonly batches: BatchRecords;
  readonly slots: RunSlots;
  readonly launches: LaunchControl;
  readonly shares: SharesControl;
  readonly orphans: OrphanRegister;
  readonly deliveries: Deliveries;
  /** Only those of the database; `StoredWebhooks` also keeps them on disk. */
  readonly webhooks: Webhooks;
  /** Only those of the database. */
  readonly keys: AccessKeys & KeyUses;
  readonly uploads: UploadStore;
  readonly ledger: ModelLedger;
  readonly textRequests: TextRequests;

  private readonly notifier: MoveNotifier;

  constructor(db: Database, clock: Clock = systemClock) {
    const context = { db, clock };
    const notifier = new MoveNotifier(db);
    this.notifier = notifier;
    this.records = new PostgresSessionRecords(context, notifier);
    this.schedule = new PostgresStepSchedule(context);
    this.owedFiles = new PostgresOwedFiles(context);
    this.events = new PostgresSessionEvents(context, notifier);
    this.feed = new PostgresSessionFeed(context, notifier);
    this.index = new PostgresSessionIndex(context);
    this.retention = new PostgresSessionRetention(context);
    this.statistics = new PostgresStatistics(context);
    this.catalogues = new PostgresProgramCatalogues(context);
    this.batches = new PostgresBatchRecords(context);
    this.slots = new PostgresRunSlots(context);
    this.launches = new PostgresLaunchControl(context);
    this.shares = new PostgresSharesControl(context);
    this.orphans = new PostgresOrphanRegister(context);
    this.deliveries = new PostgresDeliveries(context);
    this.webhooks = new PostgresWebhooks(context);
    this.keys = new PostgresAccessKeys(context);
    this.uploads = new PostgresUploadStore(context);
    this.ledger = new PostgresModelLedger(context);
    this.textRequests = new PostgresTextRequests(context);
  }

  /** Ends all waits for moves; the caller closes the connection. */
  close(): void {
    this.notifier.close();
  }
}
