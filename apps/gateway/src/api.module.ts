import { MetricsModule } from '@fleet/observability';
import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { KeysController } from './routes/access/keys.controller';
import { keyCommands } from './routes/access/key-commands';
import { MeController } from './routes/access/me.controller';
import { readableByProvider } from './routes/sessions/readable-by';
import { accessControl } from './access-control';
import { AdministrationController } from './routes/administration/administration.controller';
import { launchCommands } from './routes/administration/launch-commands';
import { AdviceController } from './routes/advice/advice.controller';
import { AuditController } from './routes/audit/audit.controller';
import { batchCommands } from './routes/batches/batch-commands';
import { BatchWorker } from './routes/batches/batch-worker';
import { RowWaits } from './routes/batches/row-waits';
import { BatchResultsController } from './routes/batches/batch-results.controller';
import { BatchesController } from './routes/batches/batches.controller';
import { DeadStepsController } from './routes/dead-steps/dead-steps.controller';
import { DoctorController } from './routes/doctor/doctor.controller';
import { doctorProvider } from './routes/doctor/doctor.provider';
import { EventStreams } from './routes/events/event-streams.service';
import { UpdatesController } from './routes/events/updates.controller';
import { UpdatePages } from './routes/events/update-pages.service';
import { UpdateStreams } from './routes/events/update-streams.service';
import { OpenStreams } from './routes/events/open-streams.service';
import { SessionEventsController } from './routes/events/session-events.controller';
import { ArchiveController } from './routes/files/archive.controller';
import { FoldersController } from './routes/folders/folders.controller';
import { HealthController } from './routes/health/health.controller';
import { IdentityController } from './routes/identity/identity.controller';
import { LoginController } from './routes/login/login.controller';
import { RequestTraces } from './http/request-traces';
import { RequestMeter } from './http/request-meter';
import { ProgramsController } from './routes/programs/programs.controller';
import { queueCommands } from './routes/queues/queue-commands';
import { QueuesController } from './routes/queues/queues.controller';
import { RecoveriesController, recoveryCommands } from './routes/recoveries/recoveries.controller';
import { AssessmentController } from './routes/results/assessment.controller';
import { LogSummaryController } from './routes/results/log-summary.controller';
import { RetentionController } from './routes/retention/retention.controller';
import { RetentionWorker } from './routes/retention/retention-worker';
import { SessionRetentionController } from './routes/retention/session-retention.controller';
import { retentionCommands } from './routes/retention/retention-commands';
import { ResultsController } from './routes/results/results.controller';
import { SessionToolsController } from './routes/session-tools/session-tools.controller';
import { SessionFilesController } from './routes/sessions/session-files.controller';
import {
  MaintenanceAdministrationController,
  MaintenanceController,
} from './routes/maintenance/maintenance.controller';
import { SharesController } from './routes/shares/shares.controller';
import { QueueStatusController } from './routes/shares/queue-status.controller';
import { QueueStatuses } from './routes/shares/queue-statuses';
import { StatisticsController } from './routes/statistics/statistics.controller';
import { WallController } from './routes/wall/wall.controller';
import { CountsController } from './routes/sessions/counts.controller';
import { SessionCounter } from './routes/sessions/session-counter.service';
import { sessionCommands } from './routes/sessions/session-commands';
import { ReplayController } from './routes/sessions/replay.controller';
import { SessionFilesWriter } from './routes/sessions/session-files-writer';
import { TraceController } from './routes/sessions/trace.controller';
import { SessionsController } from './routes/sessions/sessions.controller';
import { SettingsController } from './routes/settings/settings.controller';
import { SubmissionsController } from './routes/submission/submissions.controller';
import { UploadsController } from './routes/uploads/uploads.controller';
import { uploadProviders } from './routes/uploads/upload-providers';
import { webhookCommands } from './routes/webhooks/webhook-commands';
import { WebhookSender } from './routes/webhooks/webhook-sender';
import { WebhooksController } from './routes/webhooks/webhooks.controller';

/** Metrics and traces of every request. */
const requestHooks = [RequestMeter, RequestTraces];

/** Lists of sessions. */
const listing = [SessionsController, CountsController, StatisticsController, WallController, QueueStatusController];

/** What is needed before a submission. */
const submitting = [SubmissionsController, FoldersController, UploadsController];

const administering = [
  ...keyCommands,
  ...queueCommands,
  doctorProvider,
  ...retentionCommands,
  RetentionWorker,
  ...recoveryCommands,
];

/** Texts that models write on request, and the rules at any time. */
const onDemand = [AssessmentController, LogSummaryController];

/** For administrators. */
const administration = [
  AdministrationController,
  MaintenanceAdministrationController,
  DeadStepsController,
  QueuesController,
  DoctorController,
  KeysController,
  AuditController,
  RetentionController,
];

/**
 * The API. It needs these providers: SESSION_RECORDS, SESSION_EVENTS, SESSION_FEED, SESSION_INDEX, STATISTICS,
 * BATCH_RECORDS, SESSION_RETENTION, PROGRAM_CATALOGUES, MODEL_LEDGER, MODEL_REPLIES, ASSESSMENTS, LOG_SUMMARIES,
 * TEXT_REQUESTS, RUN_SLOTS, LAUNCH_CONTROL, SHARES_CONTROL, ORPHAN_REGISTER, STEP_SCHEDULE, OWED_FILES, FAILED_JOBS,
 * QUEUED_JOBS, ACCESS_KEYS, KEY_USES, PROPOSAL_MEMBERS, TOKEN_READER, BROWSER_LOGINS, CLOCK, SESSION_FOLDER, AUDIT_LOG,
 * RATE_LIMITS, FILE_INSPECTOR, SESSION_WAKER, WEBHOOKS, WEBHOOK_FILES, DELIVERIES, WEBHOOK_OPTIONS, UPLOAD_STORE,
 * UPLOAD_FILES, AGENT_KNOWLEDGE, HEALTH_PROBES, SITE_LOOKS, CHECKUPS and GATEWAY_OPTIONS.
 */
@Module({})
export class ApiModule {
  static forRoot(outside: Pick<ModuleMetadata, 'imports' | 'providers'>): DynamicModule {
    return {
      module: ApiModule,
      imports: [TerminusModule.forRoot({ logger: false }), MetricsModule, ...(outside.imports ?? [])],
      providers: [
        ...(outside.providers ?? []),
        ...requestHooks,
        readableByProvider,
        ...sessionCommands,
        ...launchCommands,
        QueueStatuses,
        SessionCounter,
        ...batchCommands,
        ...uploadProviders,
        BatchWorker,
        SessionFilesWriter,
        RowWaits,
        ...administering,
        OpenStreams,
        ...webhookCommands,
        WebhookSender,
        EventStreams,
        UpdatePages,
        UpdateStreams,
        ...accessControl,
      ],
      controllers: [
        ...listing,
        SessionEventsController,
        UpdatesController,
        SessionFilesController,
        ArchiveController,
        SessionRetentionController,
        SessionToolsController,
        ...submitting,
        BatchesController,
        BatchResultsController,
        AdviceController,
        ResultsController,
        ...onDemand,
        TraceController,
        ReplayController,
        ProgramsController,
        SettingsController,
        RecoveriesController,
        ...administration,
        MeController,
        MaintenanceController,
        WebhooksController,
        IdentityController,
        LoginController,
        SharesController,
        HealthController,
      ],
    };
  }
}
