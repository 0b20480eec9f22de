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
  /** IP address of the caller; this machine by default. */
  readonly from?: string;
}

export interface HarnessOptions {
  readonly options?: Partial<GatewayOptions>;
  /** Of `GatewayServer`; 0 by default. */
  readonly farewellMs?: number;
  readonly knowledge?: Partial<AgentKnowledge>;
  readonly probes?: (store: StorePorts) => readonly GatedProbe[];
  /** An empty one on that clock by default, until the gateway stops. */
  readonly store?: StorePorts;
  readonly inspector?: FileInspector;
  /** The decider; by default none. */
  readonly decisions?: DecisionDesk;
  readonly members?: ProposalMembers;
  /** Buckets of requests. */
  readonly limits?: RateLimits;
  /** Findings of executors about their site; by default none. */
  readonly looks?: SiteLooks;
  /** Trusted proxies; by default none. */
  readonly trustedProxies?: readonly string[];
  /** The system's by default. */
  readonly clock?: Clock;
  /** The audit log of a work root; one without a disk by default. */
  readonly audit?: (work: string) => AuditLog;
  /** The outcomes of requests for assessments; none unless given. */
  readonly assessments?: Assessments;
  /** The same of logs; by default none. */
  readonly logSummaries?: LogSummaries;
  /** Replies of models; by default none. */
  readonly replies?: ModelReplies;
  /** Reads tokens of an identity provider; by default none. */
  readonly tokens?: TokenReader;
  /** Logins of browsers; by default none. */
  readonly logins?: BrowserLogins;
  /** Allowed webhook targets; by default none. */
  readonly webhooks?: Partial<WebhookOptions>;
  /** The checkups of the site; by default none. */
  readonly checkups?: readonly Checkup[];
  /** Jobs that failed for good; by default none. */
  readonly failedJobs?: FailedJobs;
  readonly queuedJobs?: QueuedJobs;
  /** Parts of the gateway that stand beside the API. */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  /** Folders of sessions below a work root; plain ones by default. */
  readonly folders?: (places: { readonly work: string; readonly data: string }) => SessionFolderPort;
  /** Files of uploads below the data folder, where `options.uploads` allows any. */
  readonly uploadFiles?: (data: string) => UploadFiles;
}
