import type { DynamicModule } from '@nestjs/common';
import {
  BackendConfig,
  ConfigModule,
  DoorConfig,
  GatewayConfig,
  HealthConfig,
  InspectionConfig,
  KnowledgeConfig,
  LogConfig,
  NotificationsConfig,
  notificationsOf,
  OidcConfig,
  oidcOf,
  RedisConfig,
  SharesConfig,
  sharesOf,
  StepConfig,
  StorageConfig,
} from '@fleet/config';
import { PooledFileInspector } from '@fleet/file-inspection';
import {
  CLOCK,
  FILE_INSPECTOR,
  PROGRAM_CATALOGUES,
  WEBHOOK_FILES,
  WEBHOOKS,
  type Clock,
  type KeptWebhooks,
  type ProgramCatalogues,
  type WebhookFiles,
} from '@fleet/ports';
import { QueueLagProbe, QueueModule, WakeUps } from '@fleet/queue';
import { SessionFolderModule, WorkRootProbe } from '@fleet/session-folder';
import { RedisProbe, RedisStore, SessionStoreModule, StoredWebhooks } from '@fleet/session-store';
import { stepDueMs } from '@fleet/steps';
import type { ThreadScript } from '@fleet/thread-pool';
import { isLoopback } from './access/bind-rule';
import { ApiModule } from './api.module';
import { MembersFile, nobodysProposals, PROPOSAL_MEMBERS, type ProposalMembers } from './access/proposal-members';
import { DecisionsModule } from './decisions/decisions.module';
import { GATEWAY_OPTIONS, type GatewayOptions } from './gateway-options';
import { HEALTH_PROBES, programsProbe, type GatedProbe } from './health/health-probes';
import { IdentityProvider } from './identity/identity-provider';
import { noTokens, ProviderTokens, TOKEN_READER, type TokenReader } from './identity/token-reader';
import { AGENT_KNOWLEDGE } from './results/agent-knowledge';
import { ruleBookKnowledge } from './results/rule-book-knowledge';
import { RULE_BOOK, RuleBookModule } from './rule-book/rule-book.module';
import { SESSION_WAKER } from './sessions/session-waker';
import { AllowedAddresses } from './webhooks/allowed-addresses';
import { patience, WEBHOOK_OPTIONS, type WebhookOptions } from './webhooks/webhook-options';

const heartbeatMs = 15_000;
const slowClientMs = 10_000;
const eventBatch = 500;
/** Milliseconds for one call to Redis: a request makes a few, and its first that fails ends it. */
const storeTimeoutMs = 5_000;

const optionsOf = (
  gateway: GatewayConfig,
  storage: StorageConfig,
  { backend }: BackendConfig,
  shares: SharesConfig,
): GatewayOptions => ({
  backend,
  adminApi: gateway.adminApi === 'on',
  openTo: isLoopback(gateway.host) ? 'this-machine' : 'everybody',
  shares: sharesOf(shares),
  dataRoots: storage.dataRoots,
  workRoot: storage.workRoot,
  maxFiles: gateway.maxFiles,
  maxBodyBytes: gateway.maxBodyBytes,
  maxEventStreams: gateway.maxEventStreams,
  heartbeatMs,
  slowClientMs,
  eventBatch,
  dueInMs: stepDueMs,
});

const webhookOptionsOf = (config: NotificationsConfig): WebhookOptions => {
  const { targets, networks, linkBase } = notificationsOf(config);
  return { ...patience, targets, linkBase, addresses: new AllowedAddresses(networks) };
};

/**
 * Redis takes the gateway out of service, and so does a work root that does not answer: another replica may have it, and here every look
 * would wait. A backlog or a missing executor is no reason to hide the sessions.
 */
const probesOf = (
  redis: RedisProbe,
  workRoot: WorkRootProbe,
  queues: QueueLagProbe,
  catalogues: ProgramCatalogues,
  { backend }: BackendConfig,
): readonly GatedProbe[] => [
  { probe: redis, failure: 'down' },
  { probe: workRoot, failure: 'down' },
  { probe: queues, failure: 'degraded' },
  { probe: programsProbe(catalogues, backend), failure: 'degraded' },
];

const tokenReaderOf = (config: OidcConfig, clock: Clock): TokenReader => {
  const settings = oidcOf(config);
  if (settings === undefined) return noTokens;
  return new ProviderTokens(settings, new IdentityProvider(settings.issuer, clock), clock);
};

/** What the gateway reads of its environment. */
const sections = [
  RedisConfig,
  StorageConfig,
  GatewayConfig,
  DoorConfig,
  OidcConfig,
  InspectionConfig,
  BackendConfig,
  KnowledgeConfig,
  HealthConfig,
  LogConfig,
  StepConfig,
  SharesConfig,
  NotificationsConfig,
] as const;

/**
 * The gateway as a facility runs it: the API over Redis, the queues, the session folders and the knowledge base.
 * @param inspectionScript what the threads run that look into files; tests run it from sources
 */
export const gatewayModule = (inspectionScript?: ThreadScript): DynamicModule =>
  ApiModule.forRoot({
    imports: [
      ConfigModule.forRoot(sections),
      SessionStoreModule.forRoot({ timeoutMs: storeTimeoutMs }),
      QueueModule.forRoot(),
      SessionFolderModule,
      RuleBookModule,
      DecisionsModule.forRoot(),
    ],
    providers: [
      {
        provide: FILE_INSPECTOR,
        inject: [InspectionConfig],
        useFactory: (limits: InspectionConfig) => new PooledFileInspector(limits, inspectionScript),
      },
      {
        provide: PROPOSAL_MEMBERS,
        inject: [GatewayConfig],
        useFactory: async ({ proposalMembersFile }: GatewayConfig): Promise<ProposalMembers> =>
          proposalMembersFile === undefined ? nobodysProposals : MembersFile.open(proposalMembersFile),
      },
      {
        provide: TOKEN_READER,
        inject: [OidcConfig, CLOCK],
        useFactory: tokenReaderOf,
      },
      {
        provide: WEBHOOKS,
        inject: [RedisStore, WEBHOOK_FILES],
        useFactory: ({ webhooks }: RedisStore, files: WebhookFiles): KeptWebhooks =>
          new StoredWebhooks(webhooks, files),
      },
      { provide: WEBHOOK_OPTIONS, inject: [NotificationsConfig], useFactory: webhookOptionsOf },
      { provide: SESSION_WAKER, useExisting: WakeUps },
      {
        provide: AGENT_KNOWLEDGE,
        inject: [RULE_BOOK],
        useFactory: ruleBookKnowledge,
      },
      {
        provide: HEALTH_PROBES,
        inject: [RedisProbe, WorkRootProbe, QueueLagProbe, PROGRAM_CATALOGUES, BackendConfig],
        useFactory: probesOf,
      },
      {
        provide: GATEWAY_OPTIONS,
        inject: [GatewayConfig, StorageConfig, BackendConfig, SharesConfig],
        useFactory: optionsOf,
      },
    ],
  });
