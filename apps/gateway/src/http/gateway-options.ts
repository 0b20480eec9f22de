import type { DataRoot } from '@fleet/access';
import type { OpenAccess } from '@fleet/contracts/access';
import type { SharesPolicy } from '@fleet/contracts/launches';
import type { RetentionRule } from '@fleet/contracts/retention';
import type { BackendName } from '@fleet/contracts/service';
import type { UploadRules } from '@fleet/contracts/uploads';

export const GATEWAY_OPTIONS = Symbol('GatewayOptions');

/** Per minute, over all gateways; 0: unlimited. */
export interface Rates {
  /** Per principal. */
  readonly requestsPerMinute: number;
  /** Per principal: sessions, and rows of batches. */
  readonly submissionsPerMinute: number;
  /** Per IP address, without a valid key or token. */
  readonly refusalsPerMinute: number;
}

/** Settings of the gateway, from its configuration. */
export interface GatewayOptions {
  /** Folders of submitted files, and who may read them. */
  readonly dataRoots: readonly DataRoot[];
  /** Absolute folder of results; files in it may be submitted again. */
  readonly workRoot: string;
  /** The backend of this facility. */
  readonly backend: BackendName;
  /** False: /v1/admin answers 404. */
  readonly adminApi: boolean;
  /** Of displayed times. */
  readonly timeZone: string;
  /** Who can reach a gateway with open access. */
  readonly openAccess: OpenAccess;
  /** The rate limits. */
  readonly rates: Rates;
  /** The shares until an administrator sets others. */
  readonly shares: SharesPolicy;
  /** Retention of ended sessions; unlimited without a rule. */
  readonly retention: readonly RetentionRule[];
  /** Upload rules; absent: no uploads. */
  readonly uploads?: UploadRules;
  /** Timeout for the next data of an upload, in milliseconds. */
  readonly uploadIdleMs: number;
  readonly maxFiles: number;
  readonly maxBodyBytes: number;
  readonly maxEventStreams: number;
  /** Heartbeat interval of a silent event stream, in milliseconds. */
  readonly heartbeatMs: number;
  /** Timeout for a client of many sessions to read what was sent, in milliseconds. */
  readonly slowClientMs: number;
  /** Events read at a time. */
  readonly eventBatch: number;
  /** Delay until the sweeper checks a new session whose wake-up was lost, in milliseconds. */
  readonly dueInMs: number;
}
