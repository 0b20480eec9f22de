import { MetricsModule } from '@fleet/observability';
import { Logger, Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import {
  CLOCK,
  FILE_INSPECTOR,
  SESSION_FOLDER,
  SESSION_RECORDS,
  TRACING,
  untraced,
  type Clock,
  type FileInspector,
  type SessionFolderPort,
  type SessionRecords,
  type Tracing,
} from '@fleet/ports';
import { KeysController } from './access/keys.controller';
import { MeController } from './access/me.controller';
import { PROPOSAL_MEMBERS, type ProposalMembers } from './access/proposal-members';
import { READABLE_BY, readableByProvider, type ReadableBy } from './data-folders/readable-by';
import { door } from './access/door';
import { AdministrationController } from './administration/administration.controller';
import { AdviceController } from './advice/advice.controller';
import { AuditController } from './audit/audit.controller';
import { batchRulesProvider } from './batches/batch-rules.provider';
import { BatchWorker } from './batches/batch-worker';
import { RowWaits } from './batches/row-waits';
import { BatchResultsController } from './batches/batch-results.controller';
import { BatchesController } from './batches/batches.controller';
import { DeadSteps } from './dead-steps/dead-steps.service';
import { DeadStepsController } from './dead-steps/dead-steps.controller';
import { DoctorController } from './doctor/doctor.controller';
import { doctorProvider } from './doctor/doctor.provider';
import { EventStreams } from './events/event-streams.service';
import { NewsController } from './events/news.controller';
import { NewsPages } from './events/news-pages.service';
import { NewsStreams } from './events/news-streams.service';
import { OpenStreams } from './events/open-streams.service';
import { SessionEventsController } from './events/session-events.controller';
import { ArchiveController } from './files/archive.controller';
import { FoldersController } from './folders/folders.controller';
import { GATEWAY_OPTIONS, type GatewayOptions } from './gateway-options';
import { HealthController } from './health/health.controller';
import { IdentityController } from './identity/identity.controller';
import { LoginController } from './login/login.controller';
import { RequestTraces } from './http/request-traces';
import { RequestMeter } from './metrics/request-meter';
import { ProgramsController } from './programs/programs.controller';
import { LookedAtQueues } from './queues/looked-at-queues.service';
import { QueuesController } from './queues/queues.controller';
import { RecoveriesController, RecoverySources } from './recoveries/recoveries.controller';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from './results/agent-knowledge';
import { AssessmentController } from './results/assessment.controller';
import { LogSummaryController } from './results/log-summary.controller';
import { RetentionController } from './retention/retention.controller';
import { RetentionWorker } from './retention/retention-worker';
import { SessionRetentionController } from './retention/session-retention.controller';
import { Retention, RetentionParts } from './retention/retention.service';
import { ResultsController } from './results/results.controller';
import { SESSION_TOOLS, type SessionTools } from './session-tools/reopen-session';
import { SessionToolsController } from './session-tools/session-tools.controller';
import { SessionFilesController } from './sessions/session-files.controller';
import { CurrentShares } from './shares/current-shares.service';
import { MaintenanceAdministrationController, MaintenanceController } from './maintenance/maintenance.controller';
import { SharesController } from './shares/shares.controller';
import { StandingsController } from './shares/standings.controller';
import { ExpectedWaits } from './shares/expected-waits.service';
import { Standings } from './shares/standings.service';
import { StatisticsController } from './statistics/statistics.controller';
import { WallController } from './wall/wall.controller';
import { CountsController } from './sessions/counts.controller';
import { SessionCounter } from './sessions/session-counter.service';
import { SESSION_WAKER, type SessionWaker } from './sessions/session-waker';
import { ReplayController } from './sessions/replay.controller';
import { TraceController } from './sessions/trace.controller';
import { SessionsController } from './sessions/sessions.controller';
import { SettingsController } from './settings/settings.controller';
import { SubmissionsController } from './submission/submissions.controller';
import { SUBMISSION_RULES, type SubmissionRules } from './submission/submit-session';
import { UploadsController } from './uploads/uploads.controller';
import { uploadProviders } from './uploads/upload-providers';
import { MailPost } from './webhooks/mail-post';
import { WebhookPost } from './webhooks/webhook-post';
import { WebhookSender } from './webhooks/webhook-sender';
import { WebhooksController } from './webhooks/webhooks.controller';

const logger = new Logger('Gateway');
/** The record is the truth; `session.json` follows with the next step, or with the next write. */
const onUnkept = (sessionId: string, error: unknown): void => {
  logger.warn({ message: 'session.json could not be written; the session is not affected', sessionId, err: error });
};

const submissionRules = {
  provide: SUBMISSION_RULES,
  inject: [
    SESSION_RECORDS,
    SESSION_FOLDER,
    CLOCK,
    SESSION_WAKER,
    FILE_INSPECTOR,
    AGENT_KNOWLEDGE,
    GATEWAY_OPTIONS,
    CurrentShares,
    PROPOSAL_MEMBERS,
    READABLE_BY,
    { token: TRACING, optional: true },
  ],
  useFactory: (
    ...[
      records,
      folder,
      clock,
      waker,
      inspector,
      knowledge,
      options,
      shares,
      members,
      readableBy,
      tracing,
    ]: SubmissionParts
  ): SubmissionRules => ({
    records,
    folder,
    clock,
    wake: (head) => waker.wake(head),
    inspector,
    dueInMs: options.dueInMs,
    readableBy,
    maxFiles: options.maxFiles,
    workRoot: options.workRoot,
    knowledge,
    mayBeLive: (of) => shares.mayBeLive(of),
    beamlinesOf: (proposal) => members.beamlinesOf(proposal),
    tracing: tracing ?? untraced,
    onUnkept,
  }),
};

const sessionTools = {
  provide: SESSION_TOOLS,
  inject: [
    SESSION_RECORDS,
    CLOCK,
    SESSION_WAKER,
    SESSION_FOLDER,
    FILE_INSPECTOR,
    AGENT_KNOWLEDGE,
    GATEWAY_OPTIONS,
    SUBMISSION_RULES,
  ],
  useFactory: (...[records, clock, waker, folder, inspector, knowledge, options, live]: ToolParts): SessionTools => ({
    records,
    clock,
    folder,
    files: { inspector, readableBy: live.readableBy, maxFiles: options.maxFiles },
    dueInMs: options.dueInMs,
    wake: (head) => waker.wake(head),
    summary: (session) => knowledge.summary(session),
    knowledge,
    live,
    onUnkept,
  }),
};

type ToolParts = [
  SessionRecords,
  Clock,
  SessionWaker,
  SessionFolderPort,
  FileInspector,
  AgentKnowledge,
  GatewayOptions,
  SubmissionRules,
];
type SubmissionParts = [
  SessionRecords,
  SessionFolderPort,
  Clock,
  SessionWaker,
  FileInspector,
  AgentKnowledge,
  GatewayOptions,
  CurrentShares,
  ProposalMembers,
  ReadableBy,
  Tracing | undefined,
];

/** What is told of every request to those who run the service. */
const requestHooks = [RequestMeter, RequestTraces];

/** Sessions, many at a time. */
const listing = [SessionsController, CountsController, StatisticsController, WallController, StandingsController];

/** What a submission is made of, before it is one. */
const submitting = [SubmissionsController, FoldersController, UploadsController];

const administering = [
  DeadSteps,
  LookedAtQueues,
  doctorProvider,
  RetentionParts,
  Retention,
  RetentionWorker,
  RecoverySources,
];

/** What models write when they are asked, and the rules at any time. */
const onDemand = [AssessmentController, LogSummaryController];

/** For those who run the service. */
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
 * The API. What it works with comes from outside: SESSION_RECORDS, SESSION_EVENTS, SESSION_FEED, SESSION_INDEX, STATISTICS, BATCH_RECORDS,
 * SESSION_RETENTION, PROGRAM_CATALOGUES, MODEL_LEDGER, MODEL_REPLIES, ASSESSMENTS, LOG_SUMMARIES, MODEL_WISHES, RUN_SLOTS, LAUNCH_CONTROL, SHARES_CONTROL, ORPHAN_REGISTER, STEP_SCHEDULE, FAILED_JOBS, QUEUED_JOBS, ACCESS_KEYS, KEY_USES, PROPOSAL_MEMBERS, TOKEN_READER,
 * BROWSER_LOGINS, CLOCK, SESSION_FOLDER, AUDIT_LOG, RATE_LIMITS, FILE_INSPECTOR, SESSION_WAKER, WEBHOOKS, WEBHOOK_FILES, DELIVERIES, WEBHOOK_OPTIONS, UPLOAD_STORE, UPLOAD_FILES,
 * AGENT_KNOWLEDGE, HEALTH_PROBES, SITE_LOOKS, CHECKUPS and GATEWAY_OPTIONS.
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
        submissionRules,
        sessionTools,
        CurrentShares,
        Standings,
        SessionCounter,
        batchRulesProvider,
        ...uploadProviders,
        BatchWorker,
        ExpectedWaits,
        RowWaits,
        ...administering,
        OpenStreams,
        WebhookPost,
        MailPost,
        WebhookSender,
        EventStreams,
        NewsPages,
        NewsStreams,
        ...door,
      ],
      controllers: [
        ...listing,
        SessionEventsController,
        NewsController,
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
