import { systemClock, type Clock } from '@fleet/ports';
import { PostgresAccessKeys } from './access/postgres-access-keys';
import type { Database, StoreContext } from './database';
import { PostgresModelLedger } from './models/postgres-model-ledger';
import { PostgresTextRequests } from './models/postgres-text-requests';
import { PostgresLaunchControl, PostgresSharesControl } from './runs/postgres-launch-control';
import { PostgresOrphanRegister } from './runs/postgres-orphan-register';
import { PostgresRunSlots } from './runs/postgres-run-slots';
import { MoveNews } from './sessions/move-news';
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

/** What the ports of one store share. */
class StoreAccess {
  protected readonly context: StoreContext;
  protected readonly news: MoveNews;

  constructor(db: Database, clock: Clock = systemClock) {
    this.context = { db, clock };
    this.news = new MoveNews(db);
  }

  /** Ends all waits for moves; the caller closes the connection. */
  close(): void {
    this.news.close();
  }
}

/** The ports of one store in PostgreSQL 15 or newer, on a schema created by `migrate`. */
export class PostgresStore extends StoreAccess {
  readonly records = new PostgresSessionRecords(this.context, this.news);
  readonly schedule = new PostgresStepSchedule(this.context);
  readonly owedFiles = new PostgresOwedFiles(this.context);
  readonly events = new PostgresSessionEvents(this.context, this.news);
  readonly feed = new PostgresSessionFeed(this.context, this.news);
  readonly index = new PostgresSessionIndex(this.context);
  readonly retention = new PostgresSessionRetention(this.context);
  readonly statistics = new PostgresStatistics(this.context);
  readonly catalogues = new PostgresProgramCatalogues(this.context);
  readonly batches = new PostgresBatchRecords(this.context);
  readonly slots = new PostgresRunSlots(this.context);
  readonly launches = new PostgresLaunchControl(this.context);
  readonly shares = new PostgresSharesControl(this.context);
  readonly orphans = new PostgresOrphanRegister(this.context);
  readonly deliveries = new PostgresDeliveries(this.context);
  /** Only those of the database; `StoredWebhooks` also keeps them on disk. */
  readonly webhooks = new PostgresWebhooks(this.context);
  /** Only those of the database. */
  readonly keys = new PostgresAccessKeys(this.context);
  readonly uploads = new PostgresUploadStore(this.context);
  readonly ledger = new PostgresModelLedger(this.context);
  readonly textRequests = new PostgresTextRequests(this.context);
}
