import type { ModuleMetadata } from '@nestjs/common';
import type {
  Assessments,
  AuditLog,
  Checkup,
  Clock,
  FailedJobs,
  QueuedJobs,
  FileInspector,
  LogSummaries,
  ModelReplies,
  RateLimits,
  SiteLooks,
  SessionFolderPort,
  UploadFiles,
} from '@fleet/ports';
import type { StorePorts } from '@fleet/testing';
import type { ProposalMembers } from '../../apps/gateway/src/auth/access/proposal-members';
import type { DecisionDesk } from '../../apps/gateway/src/routes/decisions/decision-task';
import type { GatewayOptions } from '../../apps/gateway/src/http/gateway-options';
import type { GatedProbe } from '../../apps/gateway/src/routes/health/health-probes';
import type { TokenReader } from '../../apps/gateway/src/auth/identity/token-reader';
import type { BrowserLogins } from '../../apps/gateway/src/auth/login/browser-logins';
import type { AgentKnowledge } from '../../apps/gateway/src/routes/results/agent-knowledge';
import type { WebhookOptions } from '@fleet/webhook-post';

export type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface JsonAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly text: string;
  /** The body read as JSON. */
  readonly json: () => unknown;
}

/** What is sent beside method and address. */
export interface Sent {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly raw?: string | Buffer;
  /** Address of who asks; of this machine unless told. */
  readonly from?: string;
}

export interface HarnessOptions {
  readonly options?: Partial<GatewayOptions>;
  /** Of `GatewayServer`; 0 unless told. */
  readonly farewellMs?: number;
  readonly knowledge?: Partial<AgentKnowledge>;
  readonly probes?: (store: StorePorts) => readonly GatedProbe[];
  /** An empty one on that clock unless told, until the gateway stops. */
  readonly store?: StorePorts;
  readonly inspector?: FileInspector;
  /** Who decides; nobody unless told. */
  readonly decisions?: DecisionDesk;
  readonly members?: ProposalMembers;
  /** Buckets of requests. */
  readonly limits?: RateLimits;
  /** What executors have seen of their site; nothing unless told. */
  readonly looks?: SiteLooks;
  /** Proxies that are believed; none unless told. */
  readonly trustedProxies?: readonly string[];
  /** The system's unless told. */
  readonly clock?: Clock;
  /** The audit log of a work root; one without a disk unless told. */
  readonly audit?: (work: string) => AuditLog;
  /** The outcomes of requests for assessments; none unless given. */
  readonly assessments?: Assessments;
  /** The same of logs; nothing unless told. */
  readonly logSummaries?: LogSummaries;
  /** Replies of models; none unless told. */
  readonly replies?: ModelReplies;
  /** Reads tokens of an identity provider; there is none unless told. */
  readonly tokens?: TokenReader;
  /** Logins of browsers; there are none unless told. */
  readonly logins?: BrowserLogins;
  /** Where webhooks may go; nowhere unless told. */
  readonly webhooks?: Partial<WebhookOptions>;
  /** What a look at the site goes through; nothing unless told. */
  readonly checkups?: readonly Checkup[];
  /** Jobs that failed for good; there are none unless told. */
  readonly failedJobs?: FailedJobs;
  readonly queuedJobs?: QueuedJobs;
  /** Parts of the gateway that stand beside the API. */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  /** Folders of sessions below a work root; plain ones unless told. */
  readonly folders?: (places: { readonly work: string; readonly data: string }) => SessionFolderPort;
  /** Files of uploads below the data folder, where `options.uploads` allows any. */
  readonly uploadFiles?: (data: string) => UploadFiles;
}
