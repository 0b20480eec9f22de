import type { DynamicModule, Provider } from '@nestjs/common';
import {
  AuditConfig,
  BackendConfig,
  BrowserLoginConfig,
  ConfigModule,
  DatabaseConfig,
  AccessConfig,
  type Environment,
  GatewayConfig,
  HealthConfig,
  InspectionConfig,
  KnowledgeConfig,
  LogConfig,
  MailConfig,
  mailOf,
  NotificationsConfig,
  notificationsOf,
  OidcConfig,
  RedisConfig,
  RetentionConfig,
  retentionOf,
  SharesConfig,
  sharesOf,
  StepConfig,
  StorageConfig,
  TracingConfig,
  UploadsConfig,
  uploadsOf,
  dataFoldersOf,
  dataRootsOf,
} from '@fleet/config';
import { GemmiFileInspector, startedInspector } from '@fleet/file-inspection';
import { HealthModule, processCheckup, tracedInspector, TracingModule } from '@fleet/observability';
import {
  CHECKUPS,
  CLOCK,
  FAILED_JOBS,
  QUEUED_JOBS,
  FILE_INSPECTOR,
  MEMBER_ANSWERS,
  PROGRAM_CATALOGUES,
  SESSION_WAKER,
  SITE_LOOKS,
  TRACING,
  UPLOAD_FILES,
  WEBHOOK_FILES,
  WEBHOOKS,
  type Checkup,
  type Clock,
  type ProgramCatalogues,
  type SiteLooks,
  type WebhookFiles,
} from '@fleet/ports';
import { QueuedFailures, QueuedWakeUps, QueueLagProbe, QueueModule, WakeUps } from '@fleet/queue';
import { SessionFolderModule, UploadFolder, WorkRootCheckup, WorkRootProbe } from '@fleet/session-folder';
import { RedisCheckup, RedisModule, RedisProbe } from '@fleet/redis';
import { DatabaseCheckup, DatabaseProbe, PostgresStore, StoredWebhooks, StoreModule } from '@fleet/store';
import { stepDueMs } from '@fleet/steps';
import { AllowedAddresses, mailPatience, patience, WEBHOOK_OPTIONS, type WebhookOptions } from '@fleet/webhook-post';
import { providedObject } from '@fleet/wiring';
import { Authentication } from './auth/access/authentication';
import { isLoopback } from './auth/access/bind-rule';
import { ApiModule } from './api.module';
import { membersOf } from './auth/access/members-of';
import { PROPOSAL_MEMBERS } from './auth/access/proposal-members';
import { auditLogProvider } from './auth/audit/audit-log.provider';
import { DecisionsModule } from './routes/decisions/decisions.module';
import { accountCheckup, dataCheckup, executorCheckup, programsCheckup } from './routes/doctor/site-checkups';
import { GATEWAY_OPTIONS, type GatewayOptions, type Rates } from './http/gateway-options';
import { HEALTH_PROBES, programsProbe, type GatedProbe } from './routes/health/health-probes';
import { identityProviders } from './auth/login/identities';
import { AGENT_KNOWLEDGE } from './routes/results/agent-knowledge';
import { ruleBookKnowledge } from './routes/results/rule-book-knowledge';
import { RULE_BOOK, RuleBookModule } from './routes/results/rule-book.module';
import { fleetMetrics } from './routes/metrics/fleet-metrics';

const heartbeatMs = 15_000;
const slowClientMs = 10_000;
const uploadIdleMs = 30_000;
const eventBatch = 500;
/**
 * Timeout of one call to the database or to Redis, in milliseconds: a request makes a few, and the first failure ends
 * it.
 */
const storeTimeoutMs = 5_000;

const uploadRulesOf = (config: UploadsConfig, storage: StorageConfig): Pick<GatewayOptions, 'uploads'> => {
  const uploads = uploadsOf(config, storage);
  return uploads === undefined ? {} : { uploads: uploads.rules };
};

const uploadFilesOf = (config: UploadsConfig, storage: StorageConfig): UploadFolder | undefined => {
  const uploads = uploadsOf(config, storage);
  return uploads === undefined ? undefined : new UploadFolder(uploads.root);
};

const ratesOf = ({ requestsPerMinute, submissionsPerMinute, refusalsPerMinute }: AccessConfig): Rates => ({
  requestsPerMinute,
  submissionsPerMinute,
  refusalsPerMinute,
});

const optionSections = {
  gateway: GatewayConfig,
  storage: StorageConfig,
  backend: BackendConfig,
  shares: SharesConfig,
  access: AccessConfig,
  uploads: UploadsConfig,
  retention: RetentionConfig,
};
type OptionParts = { [Name in keyof typeof optionSections]: InstanceType<(typeof optionSections)[Name]> };
const optionParts = providedObject<OptionParts>(optionSections);

const optionsOf = ({ gateway, storage, backend, shares, access, uploads, retention }: OptionParts): GatewayOptions => ({
  backend: backend.backend,
  adminApi: gateway.adminApi === 'on',
  timeZone: gateway.timeZone,
  openAccess: isLoopback(gateway.host) ? 'this-machine' : 'everybody',
  rates: ratesOf(access),
  shares: sharesOf(shares),
  retention: retentionOf(retention),
  dataRoots: dataRootsOf(storage, uploadsOf(uploads, storage)?.root),
  workRoot: storage.workRoot,
  ...uploadRulesOf(uploads, storage),
  uploadIdleMs,
  maxFiles: gateway.maxFiles,
  maxBodyBytes: gateway.maxBodyBytes,
  maxEventStreams: gateway.maxEventStreams,
  heartbeatMs,
  slowClientMs,
  eventBatch,
  dueInMs: stepDueMs,
});

const webhookOptionsOf = (config: NotificationsConfig, mailConfig: MailConfig): WebhookOptions => {
  const { targets, networks, linkBase } = notificationsOf(config);
  const mail = mailOf(mailConfig);
  return {
    ...patience,
    targets,
    linkBase,
    addresses: new AllowedAddresses(networks),
    ...(mail && { mail: { ...mailPatience, ...mail } }),
  };
};

/**
 * The gateway is not ready if the database, Redis or the work root fails: another replica may reach it, and here every
 * check would hang. A backlog or a missing executor must not hide the sessions.
 */
const probesOf = (
  ...[database, redis, workRoot, queues, catalogues, { backend }]: readonly [
    DatabaseProbe,
    RedisProbe,
    WorkRootProbe,
    QueueLagProbe,
    ProgramCatalogues,
    BackendConfig,
  ]
): readonly GatedProbe[] => [
  { probe: database, failure: 'down' },
  { probe: redis, failure: 'down' },
  { probe: workRoot, failure: 'down' },
  { probe: queues, failure: 'degraded' },
  { probe: programsProbe(catalogues, backend), failure: 'degraded' },
];

/** The checkups of the doctor. */
const checkupsOf = (
  ...[database, redis, storage, catalogues, backend, looks, clock, authentication]: readonly [
    DatabaseCheckup,
    RedisCheckup,
    StorageConfig,
    ProgramCatalogues,
    BackendConfig,
    SiteLooks,
    Clock,
    Authentication,
  ]
): readonly Checkup[] => [
  database,
  redis,
  new WorkRootCheckup(storage.workRoot),
  dataCheckup(dataFoldersOf(storage)),
  processCheckup(),
  accountCheckup(backend, () => authentication.isOpen()),
  programsCheckup(catalogues, backend.backend),
  executorCheckup(looks, clock),
];

/** Configuration sections of the gateway. */
const sections = [
  DatabaseConfig,
  RedisConfig,
  StorageConfig,
  GatewayConfig,
  UploadsConfig,
  AccessConfig,
  AuditConfig,
  OidcConfig,
  BrowserLoginConfig,
  InspectionConfig,
  BackendConfig,
  KnowledgeConfig,
  HealthConfig,
  LogConfig,
  TracingConfig,
  StepConfig,
  SharesConfig,
  RetentionConfig,
  NotificationsConfig,
  MailConfig,
] as const;

/** Providers for health and doctor. */
const lookedAt: readonly Provider[] = [
  {
    provide: HEALTH_PROBES,
    inject: [DatabaseProbe, RedisProbe, WorkRootProbe, QueueLagProbe, PROGRAM_CATALOGUES, BackendConfig],
    useFactory: probesOf,
  },
  {
    provide: CHECKUPS,
    inject: [
      DatabaseCheckup,
      RedisCheckup,
      StorageConfig,
      PROGRAM_CATALOGUES,
      BackendConfig,
      SITE_LOOKS,
      CLOCK,
      Authentication,
    ],
    useFactory: checkupsOf,
  },
];

/**
 * The complete gateway: the API with the store, the queues, the session folders and the knowledge base.
 * @param env the variables of its configuration; by default those of the process
 */
export const gatewayModule = (env?: Environment): DynamicModule =>
  ApiModule.forRoot({
    imports: [
      ConfigModule.forRoot(sections, env),
      TracingModule.forService('gateway'),
      StoreModule.forRoot({ timeoutMs: storeTimeoutMs }),
      RedisModule.forRoot({ timeoutMs: storeTimeoutMs }),
      QueueModule.forRoot(),
      SessionFolderModule,
      RuleBookModule,
      DecisionsModule.forRoot(),
      HealthModule.forGateway(),
    ],
    providers: [
      {
        provide: GemmiFileInspector,
        inject: [InspectionConfig],
        useFactory: startedInspector,
      },
      { provide: FILE_INSPECTOR, inject: [GemmiFileInspector, TRACING], useFactory: tracedInspector },
      {
        provide: PROPOSAL_MEMBERS,
        inject: [GatewayConfig, AccessConfig, StorageConfig, MEMBER_ANSWERS, CLOCK],
        useFactory: membersOf,
      },
      auditLogProvider,
      ...identityProviders,
      ...fleetMetrics,
      { provide: UPLOAD_FILES, inject: [UploadsConfig, StorageConfig], useFactory: uploadFilesOf },
      {
        provide: WEBHOOKS,
        inject: [PostgresStore, WEBHOOK_FILES],
        useFactory: ({ webhooks }: PostgresStore, files: WebhookFiles) => new StoredWebhooks(webhooks, files),
      },
      { provide: WEBHOOK_OPTIONS, inject: [NotificationsConfig, MailConfig], useFactory: webhookOptionsOf },
      { provide: SESSION_WAKER, useExisting: WakeUps },
      { provide: FAILED_JOBS, useExisting: QueuedFailures },
      { provide: QUEUED_JOBS, useExisting: QueuedWakeUps },
      {
        provide: AGENT_KNOWLEDGE,
        inject: [RULE_BOOK],
        useFactory: ruleBookKnowledge,
      },
      ...lookedAt,
      optionParts,
      { provide: GATEWAY_OPTIONS, inject: [optionParts.provide], useFactory: optionsOf },
    ],
  });
