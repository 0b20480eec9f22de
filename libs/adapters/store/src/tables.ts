import type { Generated } from 'kysely';
import type { AccessTables } from './access/access-tables';
import type { BatchTables } from './batches/batch-tables';
import type { ModelTables } from './models/model-tables';
import type { RunTables } from './runs/run-tables';
import type { SessionTables } from './sessions/session-tables';
import type { StatisticsTables } from './statistics/statistics-tables';
import type { UploadTables } from './uploads/upload-tables';
import type { WebhookTables } from './webhooks/webhook-tables';

/** The schema after all migrations. */
export interface Tables
  extends
    SessionTables,
    BatchTables,
    RunTables,
    WebhookTables,
    AccessTables,
    UploadTables,
    ModelTables,
    StatisticsTables {
  installation: { singleton: Generated<boolean>; id: string };
}
